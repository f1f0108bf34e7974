import type { IncomingMessage, ServerResponse } from 'node:http'
import fastifyStatic from '@fastify/static'
import type { FastifyRequest } from 'fastify'
import fastify from 'fastify'
import { hasEtag } from './has-etag.ts'

export interface FileToSend {
  /** Absolute. */
  folder: string
  /** Path below it, of a file that was looked up: nothing that came with the request unchecked. */
  name: string
  headers: Record<string, string>
  /** Names the bytes for good; else size and time of the file do, as far as they can. */
  etag?: string
}

/** Sends a file, or the part that is asked for. @returns false, nothing sent, when it is no longer there */
export type SendFile = (req: IncomingMessage, res: ServerResponse, file: FileToSend) => Promise<boolean>

const FOREVER = 'public, max-age=31536000, immutable'
/** Cache header of what never changes under its address. */
export const immutable = { 'cache-control': FOREVER }

/** Nothing here has one; without these fastify would load its own compilers. */
const NO_SCHEMAS = { compilersFactory: { buildValidator: () => (() => () => true) as never, buildSerializer: () => () => JSON.stringify } }

/**
 * A sender of files, which are streamed: the reader's pace is the disk's.
 * @param forms whether `x.br` and `x.gz` are other forms of `x`, and not files of their own
 */
export async function createFileSender(forms: boolean): Promise<SendFile> {
  const waiting = new WeakMap<IncomingMessage, { file: FileToSend; missing(): void }>()
  const entryOf = ({ raw }: FastifyRequest) => waiting.get(raw) as { file: FileToSend; missing(): void }
  const app = fastify({ exposeHeadRoutes: false, schemaController: NO_SCHEMAS })
  await app.register(fastifyStatic, { serve: false, preCompressed: forms })
  app.route({
    method: ['GET', 'HEAD'],
    url: '/*',
    handler(request, reply) {
      const { file } = entryOf(request)
      reply.headers(file.headers)
      const own = { cacheControl: false, contentType: file.headers['content-type'] === undefined, etag: file.etag === undefined }
      return reply.sendFile(file.name, file.folder, own)
    },
  })
  app.addHook('onSend', async (_, reply) => {
    // The library knows the name from before RFC 9239.
    if (reply.getHeader('content-type') === 'application/javascript; charset=utf-8') reply.type('text/javascript; charset=utf-8')
  })
  app.setNotFoundHandler((request, reply) => {
    reply.hijack()
    entryOf(request).missing()
  })
  app.setErrorHandler((error: { statusCode?: number; headers?: Record<string, string> }, _, reply) => {
    reply.removeHeader('cache-control').headers(error.headers ?? {})
    return reply
      .code(error.statusCode ?? 500)
      .type('text/plain')
      .send('')
  })
  await app.ready()

  return (req, res, file) => {
    if (file.etag !== undefined) {
      res.setHeader('ETag', file.etag)
      if (hasEtag(req.headers['if-none-match'], file.etag)) {
        for (const [name, value] of Object.entries(file.headers)) res.setHeader(name, value)
        res.removeHeader('content-type')
        res.writeHead(304).end()
        return Promise.resolve(true)
      }
      // The library compares with a tag of its own making; ours says that the bytes are the same.
      if (req.headers['if-range'] === file.etag) delete req.headers['if-range']
    }
    // A part is one of the plain bytes, whatever the form of the whole.
    if (req.headers.range !== undefined) delete req.headers['accept-encoding']
    return new Promise((resolve) => {
      res.once('close', () => resolve(true))
      waiting.set(req, { file, missing: () => resolve(false) })
      app.routing(req, res)
    })
  }
}
