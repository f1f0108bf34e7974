import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { checkManifest, sdkVersion } from '../kernel/check-manifest.ts'
import type { Home } from './plugin-template.ts'
import { pluginTemplate } from './plugin-template.ts'

/** Addresses below which the kernel answers itself. */
const KERNEL_PATHS = ['/answer/', '/healthz/', '/readyz/', '/rescue/', '/static/', '/uploads/']

/**
 * Makes `<parent>/<slug>` with a plugin that runs at once.
 * @returns the folder
 * @throws in one sentence when the slug is malformed or the folder is there; nothing is written then
 */
export function newPlugin(parent: string, slug: string, home: Home): string {
  const checked = checkManifest({ slug, version: '0.1.0', type: 'route', sdk: `^${sdkVersion}` })
  if ('errors' in checked) throw new Error(checked.errors.join('\n'))
  if (KERNEL_PATHS.includes(`/${slug}/`)) throw new Error(`"${slug}" cannot be used: the site itself answers below /${slug}`)
  const folder = join(parent, slug)
  if (existsSync(folder)) throw new Error(`"${slug}" is taken: ${folder} is there already`)
  const title = `${slug.charAt(0).toUpperCase()}${slug.slice(1).replace(/[-_]/g, ' ')}`
  for (const [file, content] of Object.entries(pluginTemplate({ slug, title, sdk: sdkVersion, home }))) {
    const path = join(folder, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
  return folder
}
