import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Ticket {
  /** What stands in the code; whoever has it may scan, and nothing else. */
  url: string
  status: 'new' | 'scanned' | 'denied' | 'confirmed' | 'told'
  who: string
  until: number
  asked: number[]
}

const LIFE_SECONDS = 120
const SKEW_SECONDS = 300
/** Looks at one ticket in a minute. */
const MOST_LOOKS = 60

/**
 * A service that lets people log in elsewhere by a code, made up, and as strict as such services are: every request is signed over its bytes and no older than
 * five minutes, a ticket lives for two minutes, is confirmed by whoever has scanned it, and says once who that was.
 */
export async function openQrDesk() {
  const secret = randomBytes(16).toString('hex')
  const tickets = new Map<string, Ticket>()
  const asked: { method: string; path: string; status: number }[] = []
  /** Comes next instead of the right reply. */
  const faults: ('down' | 'html' | 'cut')[] = []
  let ahead = 0
  const now = () => Math.floor(Date.now() / 1000) + ahead

  function isSigned(request: IncomingMessage, body: string): boolean {
    const time = String(request.headers['x-desk-time'] ?? '')
    const given = Buffer.from(String(request.headers['x-desk-sign'] ?? ''), 'hex')
    const right = createHmac('sha256', secret).update([time, request.method, request.url, body].join('\n')).digest()
    return Math.abs(now() - Number(time)) <= SKEW_SECONDS && given.length === right.length && timingSafeEqual(given, right)
  }

  function make(request: IncomingMessage, body: string) {
    if (request.headers['content-type'] !== 'application/json' || JSON.parse(body).scene !== 'login') return { status: 400, reply: {} }
    const ticket = randomBytes(16).toString('hex')
    const url = `${address}/q/${randomBytes(16).toString('hex')}`
    tickets.set(ticket, { url, status: 'new', who: '', until: now() + LIFE_SECONDS, asked: [] })
    return { status: 201, reply: { ticket, url, expires_in: LIFE_SECONDS } }
  }

  function tell(id: string) {
    const ticket = tickets.get(id)
    if (!ticket) return { status: 404, reply: { error: 'no such ticket' } }
    ticket.asked = [...ticket.asked.filter((at) => at > now() - 60), now()]
    if (ticket.asked.length > MOST_LOOKS) return { status: 429, reply: { error: 'slow down' } }
    if (ticket.status === 'told') return { status: 410, reply: { error: 'told already' } }
    if (ticket.status === 'denied') return { status: 200, reply: { status: 'denied' } }
    if (ticket.until <= now()) return { status: 200, reply: { status: 'expired' } }
    if (ticket.status !== 'confirmed') return { status: 200, reply: { status: ticket.status } }
    ticket.status = 'told'
    return {
      status: 200,
      reply: { status: 'confirmed', user: { id: `desk-${ticket.who}`, name: ticket.who, mail: `${ticket.who}@desk.example` } },
    }
  }

  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    const path = request.url ?? ''
    const send = (status: number, text: string) => {
      asked.push({ method: request.method ?? '', path, status })
      response.writeHead(status, { 'content-type': 'application/json' }).end(text)
    }
    const fault = faults.shift()
    if (fault === 'cut') return void response.destroy()
    if (fault) return send(fault === 'down' ? 503 : 200, '<html>busy</html>')
    if (!isSigned(request, body)) return send(401, '{"error":"signature"}')
    const look = /^\/v1\/tickets\/([0-9a-f]{32})$/.exec(path)?.[1]
    const found =
      request.method === 'POST' && path === '/v1/tickets'
        ? make(request, body)
        : request.method === 'GET' && look
          ? tell(look)
          : { status: 404, reply: {} }
    send(found.status, JSON.stringify(found.reply))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  /** @throws what the app on the phone would say */
  function shown(url: string): Ticket {
    const ticket = [...tickets.values()].find((one) => one.url === url)
    if (!ticket || ticket.until <= now()) throw new Error('this code is not valid any more')
    return ticket
  }
  function decide(url: string, who: string, status: 'confirmed' | 'denied'): void {
    const ticket = shown(url)
    if (ticket.status !== 'scanned' || ticket.who !== who) throw new Error(`${who} has not scanned this code`)
    ticket.status = status
  }

  return {
    address,
    secret,
    asked,
    faults,
    /** Keys that no browser may learn. */
    ticketIds: () => [...tickets.keys()],
    /** The phone. */
    scan(url: string, who: string): void {
      const ticket = shown(url)
      if (ticket.status !== 'new') throw new Error('somebody else has scanned this code')
      Object.assign(ticket, { status: 'scanned', who })
    },
    confirm: (url: string, who: string) => decide(url, who, 'confirmed'),
    deny: (url: string, who: string) => decide(url, who, 'denied'),
    ahead: (seconds: number) => {
      ahead += seconds
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
