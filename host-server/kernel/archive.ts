import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { Header as Headers } from 'tar-stream'
import { extract } from 'tar-stream'
import { MAX_FILE_BYTES, MAX_FILES, MAX_TOTAL_BYTES } from './discover.ts'

/** Bytes of a packed plugin. */
export const MAX_ARCHIVE_BYTES = 20 * 1024 * 1024

/** Why an archive is not taken; the message is for the operator. */
export class Refused extends Error {}

/** Windows' own names are refused everywhere, so that an archive means the same wherever it is unpacked. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const BAD_PART = /^(\.{0,2}|con|prn|aux|nul|com\d|lpt\d)$|[\\:*?"<>|\0-\x1f]|[ .]$/i

/** Name below the one folder that npm packs everything into. @throws Refused */
function nameInside({ name, type, linkname }: Headers): string | null {
  if (type === 'symlink' || type === 'link') throw new Refused(`${name} is a link (to ${linkname}); a plugin holds files only`)
  if (type !== 'file' && type !== 'directory' && type !== 'contiguous-file')
    throw new Refused(`${name} is a ${type}; a plugin holds files only`)
  const parts = name.replace(/\/+$/, '').split('/')
  if (name.length > 300 || parts.some((part: string) => BAD_PART.test(part)))
    throw new Refused(`${JSON.stringify(name.slice(0, 100))} is a path that leaves its folder or that not every system can keep`)
  return type === 'directory' || parts.length < 2 ? null : parts.slice(1).join('/')
}

/**
 * Reads a packed plugin (`npm pack`: a gzipped tar whose files lie in one folder) into memory. Nothing is written and nothing runs.
 * `node_modules` is left out: a packed plugin is self-contained.
 * @returns file name → content
 * @throws Refused with one sentence for the operator
 */
export async function readArchive(file: string): Promise<Map<string, Buffer>> {
  const { size } = await stat(file)
  if (size > MAX_ARCHIVE_BYTES) throw new Refused(`The archive has ${size} bytes; it may have ${MAX_ARCHIVE_BYTES}`)
  const files = new Map<string, Buffer>()
  const folded = new Set<string>()
  let total = 0
  let entries = 0
  const tar = extract()
  const reading = (async () => {
    for await (const entry of tar) {
      const { header } = entry
      if (++entries > MAX_FILES) throw new Refused(`More than ${MAX_FILES} entries`)
      const name = nameInside(header)
      if ((header.size ?? 0) > MAX_FILE_BYTES)
        throw new Refused(`${header.name} has ${header.size} bytes; a file may have ${MAX_FILE_BYTES}`)
      total += header.size ?? 0
      if (total > MAX_TOTAL_BYTES) throw new Refused(`More than ${MAX_TOTAL_BYTES} bytes when unpacked`)
      const chunks: Buffer[] = []
      for await (const chunk of entry) chunks.push(chunk as Buffer)
      if (name === null || name.split('/').includes('node_modules')) continue
      if (folded.has(name.toLowerCase())) throw new Refused(`${header.name} is there twice`)
      folded.add(name.toLowerCase())
      files.set(name, Buffer.concat(chunks))
    }
  })()
  // Whoever fails first says why; the other then ends with a consequence of it.
  reading.catch((error) => tar.destroy(error as Error))
  let unpacked = 0
  const measure = async function* (source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      unpacked += chunk.length
      if (unpacked > MAX_TOTAL_BYTES + MAX_FILES * 2048) throw new Refused(`More than ${MAX_TOTAL_BYTES} bytes when unpacked`)
      yield chunk
    }
  }
  try {
    await Promise.all([pipeline(createReadStream(file), createGunzip(), measure, tar as unknown as NodeJS.WritableStream), reading])
  } catch (error) {
    if (!tar.destroyed) tar.destroy()
    await Promise.race([reading.catch(() => undefined), once(tar, 'close').catch(() => undefined)])
    throw error instanceof Refused ? error : new Refused(`The archive is broken: ${(error as Error).message}`)
  }
  if (files.size === 0) throw new Refused('The archive is empty')
  return files
}
