import type { Sharp, SharpOptions } from 'sharp'
import sharp from 'sharp'
import type { ImageFacts, ImageReply, ImageTask } from './images.ts'

/** The process that decodes pictures, one at a time: what it takes of memory, threads and time is taken from nobody else, and ends with it. */

/** More is refused before anything is decoded: pixels of all frames together. */
const MAX_PIXELS = 100_000_000
const MAX_ANIMATED_PIXELS = 60_000_000

sharp.cache(false)
sharp.concurrency(1)

const open = (data: Uint8Array, options: SharpOptions = {}): Sharp =>
  sharp(data, { limitInputPixels: MAX_PIXELS, failOn: 'error', ...options })

async function inspect(data: Uint8Array): Promise<ImageFacts> {
  const { format, width, height, pageHeight, pages = 1, orientation } = await open(data).metadata()
  const isTurned = (orientation ?? 1) >= 5
  const upright = pageHeight ?? height
  const limit = pages > 1 ? MAX_ANIMATED_PIXELS : MAX_PIXELS
  if (width * upright * pages > limit) throw new Error(`${width} × ${upright} × ${pages} frames are more than ${limit} pixels`)
  return { format, width: isTurned ? upright : width, height: isTurned ? width : upright, frames: pages }
}

const work = {
  inspect: ({ data }: ImageTask) => inspect(data),
  async clean({ data }: ImageTask) {
    await inspect(data)
    // Without `keepMetadata`, sharp writes none.
    return await open(data, { animated: true }).autoOrient().toBuffer()
  },
  async thumbnail({ data, edge }: ImageTask) {
    await inspect(data)
    return await open(data)
      .autoOrient()
      .resize(edge ?? 0, edge ?? 0, { fit: 'cover', position: 'attention' })
      .webp({ quality: 82 })
      .toBuffer()
  },
}

process.on('message', (task: ImageTask) => {
  const reply = (message: ImageReply) => process.send?.(message)
  work[task.what](task).then(
    (made) => reply({ made }),
    (error: unknown) => reply({ error: String((error as Error)?.message ?? error) }),
  )
})
// Whoever started it is gone.
process.on('disconnect', () => process.exit())
