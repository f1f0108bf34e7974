import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/
const LOCAL_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/
/** What proxies add: who asks through one may be anywhere. */
const FORWARDING = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'cf-connecting-ip']

export const COOKIE = 'stoa_setup'

/** What a request says of where it comes from. */
interface Sender {
  ip: string
  headers: IncomingHttpHeaders
}

/** From the machine itself, by its own name: a page of elsewhere whose name leads here is not. */
const isLocal = ({ ip, headers }: Sender): boolean =>
  LOOPBACK.test(ip) && LOCAL_HOST.test(headers.host ?? '') && FORWARDING.every((name) => headers[name] === undefined)

/** As people type it: in small letters, without the dash. */
const normal = (code: string): string => code.toUpperCase().replace(/[^A-Z0-9]/g, '')

export function isCode(text: string, code: string): boolean {
  const [left, right] = [text, code].map((one) => createHash('sha256').update(normal(one)).digest()) as [Buffer, Buffer]
  return timingSafeEqual(left, right)
}

/** Whether the wizard may be used: from the machine that the site runs on, or with the code that stands in its log. */
export function maySetUp(sender: Sender, code: string): boolean {
  const cookie = new RegExp(`(?:^|;\\s*)${COOKIE}=([\\w-]+)`).exec(sender.headers.cookie ?? '')?.[1]
  return isLocal(sender) || (cookie !== undefined && isCode(cookie, code))
}
