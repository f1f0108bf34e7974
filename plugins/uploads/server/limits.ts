import type { SiteSettings } from '../../site/shared/api.ts'
import type { UploadSource } from '../shared/api.ts'

/** What one kind of upload may be. */
export interface UploadLimits {
  /** Lower case, without the dot. */
  extensions: string[]
  megabytes: number
  /** Null: not looked at as a picture. */
  megapixels: number | null
}

/** The specification's values, for a site whose settings plugin is off. */
const defaults = {
  max_image_size: 4,
  max_attachment_size: 8,
  max_image_megapixel: 40,
  authorized_image_extensions: ['jpg', 'jpeg', 'png', 'gif', 'webp'],
  authorized_attachment_extensions: [] as string[],
}

/** Nothing larger is ever read, whatever the settings say. */
const HARD_LIMIT_MEGABYTES = 64

/** Pictures that run code in a browser are refused even when the owner lists them. */
const NEVER = ['svg', 'svgz']

/** The largest that any kind of upload may be: which it is, stands in the form itself. */
export async function mostMegabytes(settings: SiteSettings | undefined): Promise<number> {
  const { max_image_size, max_attachment_size } = (await settings?.get('write')) ?? defaults
  return Math.min(Math.max(max_image_size, max_attachment_size), HARD_LIMIT_MEGABYTES)
}

export async function limitsOf(source: UploadSource, settings: SiteSettings | undefined): Promise<UploadLimits> {
  const write = (await settings?.get('write')) ?? defaults
  const picture = (extensions: string[]): UploadLimits => ({
    extensions: extensions.map((extension) => extension.toLowerCase()).filter((extension) => !NEVER.includes(extension)),
    megabytes: Math.min(write.max_image_size, HARD_LIMIT_MEGABYTES),
    megapixels: write.max_image_megapixel,
  })
  switch (source) {
    case 'post':
      return picture(write.authorized_image_extensions)
    case 'avatar':
      return picture(['jpg', 'jpeg', 'png', 'webp'])
    case 'branding':
      return picture(['jpg', 'jpeg', 'png', 'ico'])
    case 'post_attachment':
      return {
        extensions: write.authorized_attachment_extensions.map((extension) => extension.toLowerCase()),
        megabytes: Math.min(write.max_attachment_size, HARD_LIMIT_MEGABYTES),
        megapixels: null,
      }
  }
}
