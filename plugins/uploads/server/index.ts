import type { Person } from '@stoa/sdk'
import { defineServerPlugin, route, Type } from '@stoa/sdk/server'
import { siteSettings } from '../../site/shared/api.ts'
import { uploadedFiles } from '../shared/api.ts'
import { HARD_LIMIT_MEGABYTES } from './limits.ts'
import { storeFile } from './store-file.ts'
import { createUploadedFiles } from './uploaded-files.ts'

const UPLOADS_PER_MINUTE = 30

export default defineServerPlugin({
  wants: { settings: siteSettings },
  provides: { files: uploadedFiles },
  activate({ settings }, ctx) {
    const capabilities = {
      settings: () => settings.current,
      images: ctx.images,
      storage: ctx.storage,
      db: ctx.db,
      now: () => ctx.now(),
      random: (bytes: number) => ctx.random(bytes),
    }
    ctx.routes([
      route({
        method: 'POST',
        path: '/answer/api/v1/file',
        access: 'active',
        summary: 'Upload a file',
        upload: { maxBytes: HARD_LIMIT_MEGABYTES * 1024 * 1024 },
        reply: Type.String({ description: 'Absolute address of the file' }),
        async handle({ file, person }) {
          const uploader = person as Person
          await ctx.limit('upload', { key: uploader.id, max: UPLOADS_PER_MINUTE, seconds: 60 })
          const upload = {
            name: (file?.name ?? '').replaceAll('\0', ''),
            source: file?.fields.source ?? '',
            data: file?.data ?? Buffer.alloc(0),
          }
          return storeFile(upload, uploader, capabilities)
        },
      }),
    ])
    return { files: createUploadedFiles(ctx) }
  },
})
