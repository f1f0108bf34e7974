import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** Bodies below this size are not worth the header. */
const WORTH_IT = 800

export type Encoding = 'br' | 'gzip' | undefined

export function encodingFor(req: IncomingMessage): Encoding {
  const accepted = String(req.headers['accept-encoding'] ?? '')
  if (/\bbr\b(?!;q=0(?:\.0*)?(?:,|$))/.test(accepted)) return 'br'
  if (/\bgzip\b(?!;q=0(?:\.0*)?(?:,|$))/.test(accepted)) return 'gzip'
  return undefined
}

/** Of 64 KB, the least that keeps all of a usual page. */
const LEAST_WINDOW = 16

/** A window as large as the body says as much as one of 4 MB, which is made and cleared for each page: a third of the time (measured at 40 KB). */
const brotliOptions = (body: Buffer, level: number) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: level,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    [constants.BROTLI_PARAM_LGWIN]: Math.min(
      constants.BROTLI_DEFAULT_WINDOW,
      Math.max(LEAST_WINDOW, Math.ceil(Math.log2(body.length + 17))),
    ),
  },
})

/** @param level brotli quality 0 to 11; gzip follows */
export function compress(body: Buffer, encoding: 'br' | 'gzip', level: number): Promise<Buffer> {
  return encoding === 'gzip' ? zip(body, { level: Math.min(level, 9) }) : brotli(body, brotliOptions(body, level))
}

/** Larger bodies would keep everybody waiting. */
const SOON_BYTES = 256 * 1024

/**
 * Of a document, which somebody waits for: done at once, a page takes a millisecond; handed to another thread and back it takes three (measured, and
 * the memory of four threads' encoders with it).
 */
export function compressSoon(body: Buffer, encoding: 'br' | 'gzip', level: number): Buffer | Promise<Buffer> {
  if (body.length > SOON_BYTES) return compress(body, encoding, level)
  // One piece that holds all, and too large for the pool that small buffers share.
  const chunkSize = Math.max(body.length, Buffer.poolSize)
  const written =
    encoding === 'gzip' ? gzipSync(body, { level, chunkSize }) : brotliCompressSync(body, { ...brotliOptions(body, level), chunkSize })
  if (written.buffer.byteLength !== chunkSize) return written
  const compressed = Buffer.from(written)
  // Node's encoder holds that piece, and is itself held until the old generation is collected: 30 MB of them with 300 pages a second (measured).
  written.buffer.transfer(0)
  return compressed
}

/** What is sent again and again, with its compressed forms, made when first asked for. */
export interface KeptBody {
  body: Buffer
  encoded: Partial<Record<'br' | 'gzip', Buffer | Promise<Buffer>>>
}

/** What is sent often is worth the time: a fifth less than at the level of pages, and done beside. */
const OFTEN = 11

/** @param level at most 5 for what somebody waits for, see {@link compress} */
export async function sendBody(req: IncomingMessage, res: ServerResponse, kept: KeptBody, type: string, level: number): Promise<void> {
  vary(res, 'Accept-Encoding')
  const encoding = kept.body.length >= WORTH_IT ? encodingFor(req) : undefined
  if (encoding) {
    kept.encoded[encoding] ??= (level === OFTEN ? compress : compressSoon)(kept.body, encoding, level)
    res.setHeader('Content-Encoding', encoding)
  }
  const body = encoding ? ((await kept.encoded[encoding]) as Buffer) : kept.body
  res.writeHead(200, { 'Content-Type': type, 'Content-Length': body.length })
  res.end(req.method === 'HEAD' ? undefined : body)
}

const written = new WeakMap<object, KeptBody>()

/** Sends an object that stays as it is: it is written and compressed once, for however many ask. */
export function sendObject(req: IncomingMessage, res: ServerResponse, data: object): Promise<void> {
  const kept = written.get(data) ?? { body: Buffer.from(JSON.stringify(data)), encoded: {} }
  written.set(data, kept)
  return sendBody(req, res, kept, 'application/json; charset=utf-8', OFTEN)
}

/** Sends a body that is made for this request, compressed as the client likes. */
export async function send(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  type: string,
  content: string | Buffer,
): Promise<void> {
  const plain = typeof content === 'string' ? Buffer.from(content) : content
  const encoding = plain.length >= WORTH_IT ? encodingFor(req) : undefined
  // 4 is two thirds slower, and saves a twentieth (measured at 30 KB).
  const body = encoding ? await compressSoon(plain, encoding, 3) : plain
  res.setHeader('Content-Type', type)
  vary(res, 'Accept-Encoding')
  if (encoding) res.setHeader('Content-Encoding', encoding)
  res.setHeader('Content-Length', body.length)
  res.writeHead(status)
  res.end(req.method === 'HEAD' ? undefined : body)
}

export function vary(res: ServerResponse, name: string): void {
  const before = res.getHeader('Vary')
  res.setHeader('Vary', before ? `${String(before)}, ${name}` : name)
}
