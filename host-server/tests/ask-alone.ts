import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'

export interface LoneReply {
  status: number | undefined
  headers: IncomingHttpHeaders
  text: string
}

/** Asks on a connection of its own, as so many people would: those of `fetch` wait for each other. */
export async function askAlone(url: string, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<LoneReply> {
  const asked = request(url, { agent: false, headers, ...(signal && { signal }) }).end()
  const [reply] = (await once(asked, 'response')) as [IncomingMessage]
  return { status: reply.statusCode, headers: reply.headers, text: await text(reply) }
}
