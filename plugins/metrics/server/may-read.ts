import { createHash, timingSafeEqual } from 'node:crypto'
import { BlockList, isIPv6 } from 'node:net'
import type { RouteRequest } from '@stoa/sdk/server'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Whoever is behind a proxy may be anybody, also where it runs on this machine. */
const FORWARDING = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Somebody on this machine, or who has the token. */
export function mayRead({ peer, headers }: Pick<RouteRequest, 'peer' | 'headers'>, token: string): boolean {
  const given = /^Bearer\s+(.+)$/i.exec(headers.authorization ?? '')?.[1]?.trim()
  if (given !== undefined) return token !== '' && timingSafeEqual(digest(given), digest(token))
  if (peer === '' || FORWARDING.some((name) => headers[name] !== undefined)) return false
  return loopback.check(peer, isIPv6(peer) ? 'ipv6' : 'ipv4')
}
