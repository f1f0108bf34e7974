import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { isCodedError } from '@stoa/sdk'
import { packageErrors } from '@stoa/sdk/kernel'
import type { Header as Headers } from 'tar-stream'
import { extract } from 'tar-stream'
import { MAX_FILE_BYTES, MAX_FILES, MAX_TOTAL_BYTES, megabytes } from './scan-folders.ts'

/** Bytes of a packed plugin. */
export const MAX_ARCHIVE_BYTES = 20 * 1024 * 1024

/** File systems keep 255; a compressed form adds its ending. */
const MAX_PART_BYTES = 250

/** Windows' own names are refused everywhere, so that an archive means the same wherever it is unpacked. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const BAD_PART = /^(\.{0,2}|con|prn|aux|nul|com\d|lpt\d)$|[\\:*?"<>|\0-\x1f]|[ .]$/i

/** Whether a part of a path means something else than a file or folder of that name. */
export const isBadPart = (part: string): boolean => BAD_PART.test(part)

/** Name below the one folder that npm packs everything into. @throws an error of `packageErrors` */
function nameInside({ name, type }: Headers): string | null {
  if (type === 'symlink' || type === 'link') throw packageErrors.link({ name: short(name) })
  if (type !== 'file' && type !== 'directory' && type !== 'contiguous-file') throw packageErrors.special_file({ name: short(name), type })
  const parts = name.replace(/\/+$/, '').split('/')
  const isUnsafe = (part: string) => isBadPart(part) || Buffer.byteLength(part) > MAX_PART_BYTES
  if (name.length > 300 || parts.some(isUnsafe)) throw packageErrors.unsafe_path({ name: short(name) })
  return type === 'directory' || parts.length < 2 ? null : parts.slice(1).join('/')
}

/** A name as it can be shown. */
const short = (name: string): string => JSON.stringify(name.slice(0, 100)).slice(1, -1)

/**
 * Notes a file and the folders above it, by names without case.
 * @throws `error.package.repeated` for what is a file twice, or a file and a folder
 */
function noteFile(name: string, kinds: Map<string, 'file' | 'folder'>): void {
  const parts = name.split('/')
  for (const n of parts.keys()) {
    const path = parts.slice(0, n + 1).join('/')
    const kind = n === parts.length - 1 ? 'file' : 'folder'
    const before = kinds.get(path.toLowerCase())
    if (before && (before === 'file' || kind === 'file')) throw packageErrors.repeated({ name: short(path) })
    kinds.set(path.toLowerCase(), kind)
  }
}

/**
 * Reads a packed plugin (`npm pack`: a gzipped tar whose files lie in one folder) into memory. Nothing is written and nothing runs.
 * `node_modules` is left out: a packed plugin is self-contained.
 * @returns file name → content
 * @throws an error of `packageErrors`
 */
export async function readArchive(file: string): Promise<Map<string, Buffer>> {
  const { size } = await stat(file)
  if (size > MAX_ARCHIVE_BYTES) throw packageErrors.too_large({ most: megabytes(MAX_ARCHIVE_BYTES) })
  const files = new Map<string, Buffer>()
  const kinds = new Map<string, 'file' | 'folder'>()
  let total = 0
  let entries = 0
  const tar = extract()
  const reading = (async () => {
    for await (const entry of tar) {
      const { header } = entry
      if (++entries > MAX_FILES) throw packageErrors.too_many_files({ most: MAX_FILES })
      const name = nameInside(header)
      if ((header.size ?? 0) > MAX_FILE_BYTES)
        throw packageErrors.file_too_large({ name: short(header.name), size: megabytes(header.size ?? 0), most: megabytes(MAX_FILE_BYTES) })
      total += header.size ?? 0
      if (total > MAX_TOTAL_BYTES) throw packageErrors.unpacks_too_large({ most: megabytes(MAX_TOTAL_BYTES) })
      const chunks: Buffer[] = []
      for await (const chunk of entry) chunks.push(chunk as Buffer)
      if (name === null || name.split('/').includes('node_modules')) continue
      noteFile(name, kinds)
      files.set(name, Buffer.concat(chunks))
    }
  })()
  // Whoever fails first says why; the other then ends with a consequence of it.
  reading.catch((error) => tar.destroy(error as Error))
  let unpacked = 0
  const measure = async function* (source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      unpacked += chunk.length
      if (unpacked > MAX_TOTAL_BYTES + MAX_FILES * 2048) throw packageErrors.unpacks_too_large({ most: megabytes(MAX_TOTAL_BYTES) })
      yield chunk
    }
  }
  try {
    await Promise.all([pipeline(createReadStream(file), createGunzip(), measure, tar as unknown as NodeJS.WritableStream), reading])
  } catch (error) {
    if (!tar.destroyed) tar.destroy()
    await Promise.race([reading.catch(() => undefined), once(tar, 'close').catch(() => undefined)])
    throw isCodedError(error) ? error : packageErrors.broken({ reason: (error as Error).message })
  }
  if (files.size === 0) throw packageErrors.empty()
  return files
}
