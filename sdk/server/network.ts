import { isIPv6 } from 'node:net'

/**
 * What an address counts as: an IPv6 address as its first 64 bits, as many as one customer gets at least (`2001:db8:0:1::/64`), `::ffff:192.0.2.1` as
 * 192.0.2.1, any other text as it is.
 */
export const networkOf = (address: string): string => (isIPv6(address) ? networkOfIPv6(address) : address)

function networkOfIPv6(address: string): string {
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
