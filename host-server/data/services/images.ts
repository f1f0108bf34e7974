import type { Images } from '@stoa/sdk/server'
import type { Sharp, SharpOptions } from 'sharp'

/** Larger pictures are refused before they are decoded; callers have lower limits of their own. */
const MAX_PIXELS = 100_000_000

let loading: Promise<typeof import('sharp').default> | undefined

/** Loaded when the first picture comes: it costs memory that a site without pictures need not spend. */
async function load() {
  loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false)
    sharp.concurrency(1)
    return sharp
  })
  return await loading
}

async function picture(data: Buffer, options: SharpOptions = {}): Promise<Sharp> {
  const sharp = await load()
  return sharp(data, { limitInputPixels: MAX_PIXELS, failOn: 'error', ...options })
}

/** Pictures by libvips, one thread each. */
export const images: Images = {
  async inspect(data) {
    const { format, width, height, pageHeight, orientation } = await (await picture(data)).metadata()
    const isTurned = (orientation ?? 1) >= 5
    const upright = pageHeight ?? height
    return { format, width: isTurned ? upright : width, height: isTurned ? width : upright }
  },
  async clean(data) {
    // Without `keepMetadata`, sharp writes none.
    return await (await picture(data, { animated: true })).autoOrient().toBuffer()
  },
  async thumbnail(data, edge) {
    return await (await picture(data))
      .autoOrient()
      .resize(edge, edge, { fit: 'cover', position: 'attention' })
      .webp({ quality: 82 })
      .toBuffer()
  },
}
