import type { IncomingMessage } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'

/** @param trusted addresses and ranges whose forwarding headers count @returns tells the address that a request came from, as plugins' routes see it */
export function clientAddress(trusted: readonly string[]): (req: IncomingMessage) => string {
  if (trusted.length === 0) return (req) => req.socket.remoteAddress ?? ''
  const isTrusted = proxyAddress.compile([...trusted])
  return (req) => proxyAddress(req, isTrusted)
}
