import { readFile } from 'node:fs/promises'
import type { Person } from '@stoa/sdk'
import { baseErrors, isAdmin } from '@stoa/sdk'
import type { Images, ServerContext, Storage, UploadedFile } from '@stoa/sdk/server'
import type { SiteSettings } from '../../site/shared/api.ts'
import type { UploadSource } from '../shared/api.ts'
import { uploadErrors, uploadSources } from '../shared/api.ts'
import { limitsOf } from './limits.ts'
import { cleanPicture } from './picture.ts'
import { ATTACHMENTS } from './storage-folders.ts'
import type { Tables } from './tables.ts'

export interface UploadCapabilities {
  settings: () => SiteSettings | undefined
  images: Images
  storage: Storage
  db: ServerContext<Tables>['db']
  now: () => number
  random: (bytes: number) => string
}

/**
 * Checks a file, stores it under a name nobody can guess and writes it down.
 * @returns absolute address of the stored file
 * @throws `error.upload.*`, `base.forbidden_error`, or `base.request_format_error` for a missing file or a type that is not allowed
 */
export async function storeFile(
  upload: UploadedFile,
  person: Person,
  { settings, images, storage, db, now, random }: UploadCapabilities,
): Promise<string> {
  const name = upload.name.replaceAll('\0', '')
  const wanted = upload.fields.source ?? ''
  const source = uploadSources.find((known) => known === wanted)
  if (!source) throw uploadErrors.source_unsupported({ source: wanted || 'nothing' })
  if (source === 'branding' && !isAdmin(person)) throw baseErrors.forbidden_error({ action: 'branding' })
  if (upload.size === 0) throw baseErrors.request_format_error({ detail: 'file', context: 'file_missing' })
  const limits = await limitsOf(source, settings())
  const extension = /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  if (!limits.extensions.includes(extension)) {
    const allowed = limits.extensions.join(', ')
    throw baseErrors.request_format_error({ detail: 'file', context: allowed ? 'file_type' : 'file_none', allowed })
  }
  if (upload.size > limits.megabytes * 1024 * 1024) throw uploadErrors.file_too_large({ name, limit: limits.megabytes })
  const data = await readFile(upload.path)
  const stored = limits.megapixels === null ? data : await cleanPicture(images, { name, extension, data }, limits.megapixels)
  const size =
    source === 'post'
      ? await images.inspect(stored).then(
          ({ width, height }) => `-${width}x${height}`,
          () => '',
        )
      : ''
  const path = pathOf(source, random(18) + size, name, extension)
  const address = await storage.put(path, stored, typeOf(extension, limits.megapixels === null))
  await db.write(async (tx) => {
    await tx
      .insertInto('uploads__file')
      .values({ path, source, person_id: person.id, name: name.slice(0, 255), bytes: stored.length, created_at: now() })
      .execute()
  })
  return address
}

/** Attachments keep their own name as the last part, so that a download is called what it was called. */
function pathOf(source: UploadSource, unguessable: string, name: string, extension: string): string {
  if (source !== 'post_attachment') return `${source}/${unguessable}.${extension}`
  const base = name
    .slice(0, -extension.length - 1)
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9._-]+/g, '_')
    .replace(/^[._]+|[._]+$/g, '')
    .replace(/\.{2,}/g, '.')
  return `${ATTACHMENTS}/${unguessable}/${base.slice(0, 80) || 'file'}.${extension}`
}

/** Attachments are never shown inside a page of the site, whatever they contain. */
function typeOf(extension: string, isAttachment: boolean): string {
  if (isAttachment) return 'application/octet-stream'
  return extension === 'ico' ? 'image/x-icon' : `image/${extension === 'jpg' ? 'jpeg' : extension}`
}
