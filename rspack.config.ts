import { join } from 'node:path'
import type { Configuration } from '@rspack/core'
import { coreConfigs } from './core/rspack.ts'
import { hostConfig } from './host-server/rspack.ts'
import type { Mode, Task } from './sdk/build/index.ts'
import { pluginsIn, stalePlugins } from './sdk/build/index.ts'
import { pluginConfigs } from './sdk/build/plugin-configs.ts'

export interface Parts {
  mode: Mode
  /** Folder that core is built into; left out where it stands. */
  core?: string | undefined
  /** Folder that the server's own files are built into; left out where they stand. */
  host?: string | undefined
  plugins: Task[]
}

/** All that is compiled for a site, from the sdk's preset. `npm run build` and `npm run dev` compile those parts of it that are stale. */
export function configurations({ mode, core, host, plugins }: Parts): Configuration[] {
  return [
    ...(core ? coreConfigs(mode, core) : []),
    ...(host ? [hostConfig(host)] : []),
    ...plugins.flatMap((plugin) => pluginConfigs(plugin, mode)),
  ]
}

const out = join(import.meta.dirname, 'build/rspack')

/** For tools that read an rspack configuration, such as analysers: everything, into a folder that nobody serves. */
export default async (_: unknown, { mode = 'production' }: { mode?: Mode } = {}) => {
  const { tasks } = await stalePlugins({ folders: pluginsIn(join(import.meta.dirname, 'plugins')), out, mode, force: true })
  const plugins = tasks.map((task) => ({ ...task, stage: join(out, task.source.manifest.slug) }))
  return configurations({ mode, core: join(out, 'core'), host: join(out, 'host'), plugins })
}
