import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream, readFileSync } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { baseErrors } from '@stoa/sdk'
import type { UploadedFile } from '@stoa/sdk/server'
import type { FastifyRequest } from 'fastify'
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../shared/private-files.ts'

/** Uploads that may be on their way at a time, and those of one person or address: a page sends ten pictures at once. */
const MOST = { together: 24, each: 10 }
/** No request lasts as long, so whoever wrote an older file is gone. */
const LEFT_BEHIND_MS = 10 * 60_000

/** What a form with a file holds beside it. */
const FORM = { files: 1, fields: 20, fieldSize: 64 * 1024 }
/** Bytes of a form around its file. */
export const FORM_BYTES = 64 * 1024

export interface IncomingFiles {
  /**
   * Reads a multipart body; its file goes to disk as it comes.
   * @param client whose uploads are counted together
   * @returns the file, and how to delete it
   * @throws `base.too_many_requests` before anything is read, `base.request_format_error` for what is no form, 413 for too large a file
   */
  receive(request: FastifyRequest, client: string, maxBytes: number): Promise<{ file: UploadedFile; remove(): Promise<void> }>
}

/** @param folder files on their way; what a process that was killed left there is deleted */
export function createIncomingFiles(folder: string): IncomingFiles {
  const open = new Map<string, number>()
  let sweptAt = Number.NEGATIVE_INFINITY

  async function sweep(): Promise<void> {
    if (Date.now() - sweptAt < LEFT_BEHIND_MS) return
    sweptAt = Date.now()
    for (const name of await readdir(folder).catch(() => [])) {
      const path = join(folder, name)
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
      if (mtimeMs < Date.now() - LEFT_BEHIND_MS) await rm(path, { force: true })
    }
  }
  void sweep().catch(() => undefined)

  function enter(client: string): () => void {
    const together = [...open.values()].reduce((sum, count) => sum + count, 0)
    const own = open.get(client) ?? 0
    if (together >= MOST.together || own >= MOST.each) throw baseErrors.too_many_requests({ action: 'upload', seconds: 10 })
    open.set(client, own + 1)
    return () => {
      const left = (open.get(client) ?? 1) - 1
      if (left > 0) open.set(client, left)
      else open.delete(client)
    }
  }

  async function read(request: FastifyRequest, path: string, maxBytes: number): Promise<UploadedFile> {
    const fields: Record<string, string> = {}
    let found: { name: string; type: string; size: number } | undefined
    try {
      for await (const part of request.parts({ limits: { ...FORM, fileSize: maxBytes } })) {
        if (part.type === 'field') {
          fields[part.fieldname] = String(part.value)
          continue
        }
        await pipeline(part.file, createWriteStream(path, { mode: PRIVATE_FILE, flags: 'wx' }))
        if (part.file.truncated) throw tooLarge()
        found = { name: part.filename, type: part.mimetype, size: part.file.bytesRead }
      }
    } catch (error) {
      // The reader of forms says what is too large with a status; a system error is ours; else what came is no form, or its sender went away.
      const { statusCode, syscall } = error as { statusCode?: number; syscall?: string }
      if (statusCode || syscall) throw error
      throw baseErrors.request_format_error({ detail: `multipart: ${(error as Error).message}` })
    }
    return uploaded(found ?? { name: '', type: '', size: 0 }, found ? path : '', fields)
  }

  return {
    async receive(request, client, maxBytes) {
      const leave = enter(client)
      const path = join(folder, randomBytes(16).toString('hex'))
      const remove = async () => {
        leave()
        await rm(path, { force: true })
      }
      try {
        if (!request.isMultipart())
          throw baseErrors.request_format_error({ detail: 'not multipart' }, [{ error_field: 'file', error_msg: 'validation.required' }])
        await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER })
        await sweep()
        return { file: await read(request, path, maxBytes), remove }
      } catch (error) {
        await remove()
        throw error
      }
    },
  }
}

export const tooLarge = () => Object.assign(new Error('The file is too large'), { statusCode: 413 })

function uploaded(
  about: { name: string; type: string; size: number },
  path: string,
  fields: Record<string, string>,
): UploadedFile & { readonly data: Buffer } {
  let data: Buffer | undefined
  return {
    ...about,
    path,
    fields,
    stream: () => (path ? createReadStream(path) : Readable.from([])),
    get data() {
      data ??= path ? readFileSync(path) : Buffer.alloc(0)
      return data
    },
  }
}
