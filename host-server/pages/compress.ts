import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

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

/** @param level brotli quality 0 to 11; gzip follows */
export function compress(body: Buffer, encoding: 'br' | 'gzip', level: number): Promise<Buffer> {
  if (encoding === 'gzip') return zip(body, { level: Math.min(level, 9) })
  return brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: level, [constants.BROTLI_PARAM_SIZE_HINT]: body.length } })
}

/** Sends a body that is made for this request, compressed as the client likes. */
export async function send(req: IncomingMessage, res: ServerResponse, status: number, type: string, text: string): Promise<void> {
  const plain = Buffer.from(text)
  const encoding = plain.length >= WORTH_IT ? encodingFor(req) : undefined
  const body = encoding ? await compress(plain, encoding, 4) : plain
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
