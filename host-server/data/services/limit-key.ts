import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'

const LONGEST = 300

/**
 * What a limit counts by. An IPv6 address counts by its first 64 bits, as many as one customer gets at least; a text that is too long to be
 * stored as it is, or that PostgreSQL does not take for one, by its hash.
 */
export function limitKey(key: string): string {
  if (isIPv6(key)) return networkOf(key)
  return key.length > LONGEST || key.includes('\0') ? createHash('sha256').update(key).digest('base64url') : key
}

/** `::ffff:192.0.2.1` is 192.0.2.1; every other address is its network: `2001:db8:0:1::/64`. */
function networkOf(address: string): string {
  const [head = '', tail] = (address.split('%')[0] as string).split('::')
  const four = /^(?:0*:)*ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(`${head}:${tail ?? ''}`.replace(/^:+/, ''))?.[1]
  if (four !== undefined) return four
  const groups = (text: string | undefined) => (text ? text.split(':') : [])
  // The last group may be written as an IPv4 address, which takes the place of two.
  const width = (list: string[]) => list.length + (list.at(-1)?.includes('.') ? 1 : 0)
  const [first, last] = [groups(head), groups(tail)]
  const middle = tail === undefined ? 0 : 8 - width(first) - width(last)
  const all = [...first, ...Array<string>(middle).fill('0'), ...last]
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
