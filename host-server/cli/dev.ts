import { join } from 'node:path'
import { ConfigError, readConfig } from '../config.ts'
import { reservedSlugs } from '../shared/reserved-slugs.ts'
import type { DevSite } from './dev-site.ts'
import { startDevSite } from './dev-site.ts'
import { buildFolders, pluginFolders } from './site-folders.ts'

/** `npm run dev`: serves unminified builds of `plugins/` and `core/`, and follows every edit. */
let site: DevSite
try {
  const root = join(import.meta.dirname, '..', '..')
  site = await startDevSite({
    folders: pluginFolders,
    out: buildFolders('development'),
    watched: ['plugins', 'core', 'sdk', 'host-server'].map((folder) => join(root, folder)),
    kernel: {
      ...readConfig(process.env),
      reservedSlugs: reservedSlugs(),
      log: (level, slug, message, details) =>
        console.log(`${level === 'info' ? '' : `${level} `}${slug}: ${message}`, ...(details ? [details] : [])),
    },
    say: (line) => console.log(line),
  })
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error)
  process.exit(1)
}
console.log(`Ready at ${site.kernel.url}; watching plugins/, core/, sdk/ and host-server/`)

let isLeaving = false
const leave = async () => {
  // Who asks twice does not want to wait.
  if (isLeaving) process.exit(1)
  isLeaving = true
  await site.close()
  process.exit(0)
}
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.removeAllListeners(signal)
  process.on(signal, leave)
}
