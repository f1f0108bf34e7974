import type { Translate } from '@stoa/sdk/web'

interface Limits {
  max_image_size?: number
  authorized_image_extensions?: string[] | null
}

/** Why the site would refuse a picture, known before it is sent; empty when nothing is known against it. The server decides. */
export function pictureProblem(file: { name: string; size: number }, limits: Limits | undefined, t: Translate): string {
  const extension = /\.([a-z0-9]+)$/i.exec(file.name)?.[1]?.toLowerCase() ?? ''
  const allowed = limits?.authorized_image_extensions
  if (allowed && !allowed.includes(extension)) return t('picture.type', { allowed: allowed.join(', ') })
  const megabytes = limits?.max_image_size
  if (megabytes && file.size > megabytes * 1024 * 1024) return t('picture.size', { megabytes })
  return ''
}
