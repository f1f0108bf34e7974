import type { UploadedFile } from '@stoa/sdk/server'
import { defineServerPlugin, route } from '@stoa/sdk/server'
import { statistics } from '../../dashboard/shared/api.ts'
import { siteSettings } from '../../site/shared/api.ts'
import { uploadCalls, uploadedFiles } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import { mostMegabytes } from './limits.ts'
import { fileStatistics } from './statistics.ts'
import { storeFile } from './store-file.ts'
import { createUploadedFiles } from './uploaded-files.ts'

const UPLOADS_PER_MINUTE = 30
/** So that a disk lasts. */
const UPLOADS_PER_DAY = 500

export default defineServerPlugin({
  wants: { settings: siteSettings },
  provides: { files: uploadedFiles, statistics },
  activate({ settings }, ctx) {
    const capabilities = {
      settings: () => settings.current,
      images: ctx.host.images,
      storage: ctx.host.storage,
      db: ctx.db,
      now: () => ctx.now(),
      random: (bytes: number) => ctx.host.random(bytes),
    }
    ctx.routes([
      route(uploadCalls.upload, schemas.upload, {
        access: 'active',
        summary: 'Upload a file',
        limit: [
          { action: 'upload', max: UPLOADS_PER_MINUTE, seconds: 60 },
          { action: 'upload.day', max: UPLOADS_PER_DAY, seconds: 24 * 3600 },
        ],
        upload: { maxBytes: async () => (await mostMegabytes(settings.current)) * 1024 * 1024 },
        handle: ({ file, person }) => storeFile(file as UploadedFile, person, capabilities),
      }),
    ])
    return { files: createUploadedFiles(ctx), statistics: fileStatistics(ctx) }
  },
})
