import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'

/** Bytes of a document that come at once: less than a button. */
const PIECE = 150
/** A picture of a screen with 60 in a second. */
const PAUSE_MS = 17

/**
 * A line to a site on which what stands between two marks of a document comes piece by piece, so that a browser draws it as far as it has
 * come; the rest comes as fast as ever.
 * @param from where the pieces begin
 * @param to where they end
 */
export async function openSlowLine(target: string, from: string, to: string): Promise<{ url: string; close(): Promise<void> }> {
  const { hostname, port, host } = new URL(target)
  const server = createServer((req, res) => {
    const { 'accept-encoding': _, ...headers } = req.headers
    const onward = request({ hostname, port, path: req.url, method: req.method, headers: { ...headers, host } }, (reply) => {
      res.writeHead(reply.statusCode as number, reply.headers)
      if (reply.headers['content-type']?.startsWith('text/html')) void inPieces(reply).catch(() => res.destroy())
      else reply.pipe(res)
    })
    const inPieces = async (reply: NodeJS.ReadableStream) => {
      const document = await buffer(reply)
      const [begin, end] = [document.indexOf(from), document.indexOf(to)]
      res.write(document.subarray(0, begin))
      for (let at = begin; at < end; at += PIECE) {
        res.write(document.subarray(at, Math.min(at + PIECE, end)))
        await setTimeout(PAUSE_MS)
      }
      res.end(document.subarray(end))
    }
    onward.on('error', () => res.destroy())
    req.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()))
        server.closeAllConnections()
      }),
  }
}
