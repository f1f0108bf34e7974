import type { Configuration } from '@rspack/core'
import type { Task } from './finish.ts'
import type { Mode } from './mode.ts'
import { serverConfig, serverEntries } from './server-config.ts'
import { webConfig } from './web-config.ts'

/** The preset: a configuration for each half that a plugin has, named `<slug> (web)` and `<slug> (server)`, which writes into the task's stage. */
export function pluginConfigs({ source, stage, hash = 'live' }: Task, mode: Mode): Configuration[] {
  return [
    ...(source.modules.length > 0 ? [webConfig(source, stage, mode, hash.slice(0, 16))] : []),
    ...(Object.keys(serverEntries(source)).length > 0 ? [serverConfig(source, stage)] : []),
  ]
}
