import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Configuration, EntryDescription } from '@rspack/core'
import { serverMinimizer } from './page-preset.ts'
import type { PluginSource } from './plugin-source.ts'
import { refuseRouter } from './refuse-router.ts'
import { swcOptions } from './swc-options.ts'
import { UsedExportsPlugin } from './used-exports.ts'

/** What the kernel hands to server code, and under which name it does; anything else is bundled. */
const PROVIDED = new Map([
  ['@stoa/sdk', '@stoa/sdk'],
  ['@stoa/sdk/server', '@stoa/sdk/server'],
  ['@stoa/sdk/schema', '@stoa/sdk/server'],
  ['@stoa/sdk/seed', '@stoa/sdk/seed'],
  ['@stoa/sdk/commands', '@stoa/sdk/commands'],
  ['kysely', 'kysely'],
])

const MIGRATIONS_ENTRY = join(dirname(fileURLToPath(import.meta.url)), 'migrations-entry.js')

/** The server parts of a plugin that are there, as file names of the built folder without `.cjs`. */
export function serverEntries(source: PluginSource): Record<string, EntryDescription> {
  const library = { type: 'commonjs2' }
  return {
    ...(source.server ? { server: { import: './server/index.ts', library } } : {}),
    ...(source.reads ? { reads: { import: './server/reads.ts', library } } : {}),
    ...(source.worker ? { worker: { import: './server/worker.ts', library } } : {}),
    ...(source.seed ? { seed: { import: './server/seed.ts', library } } : {}),
    ...(source.commands ? { commands: { import: './server/commands.ts', library } } : {}),
    ...(source.migrations ? { migrations: { import: MIGRATIONS_ENTRY, library: { ...library, export: 'default' } } } : {}),
  }
}

/** One CommonJS file per part: code that is compiled in a vm and can be collected, which modules never are (measured). */
export function serverConfig(source: PluginSource, out: string): Configuration {
  return {
    name: `${source.manifest.slug} (server)`,
    mode: 'production',
    context: source.folder,
    target: 'node22',
    entry: serverEntries(source),
    devtool: 'source-map',
    output: {
      path: out,
      filename: '[name].cjs',
      chunkLoading: false,
      devtoolModuleFilenameTemplate: `${source.manifest.slug}/[resource-path]`,
    },
    externals: [
      refuseRouter,
      ({ request }, callback) => {
        if (request !== undefined && isBuiltin(request))
          callback(undefined, `commonjs ${request.startsWith('node:') ? request : `node:${request}`}`)
        else {
          const provided = request === undefined ? undefined : PROVIDED.get(request)
          if (provided) callback(undefined, `commonjs ${provided}`)
          else callback()
        }
      },
    ],
    resolve: { extensions: ['.ts', '.js', '.json'], alias: { '@plugin': source.folder } },
    module: {
      rules: [{ test: /\.ts$/, exclude: /node_modules/, loader: 'builtin:swc-loader', options: swcOptions(false) }],
    },
    plugins: [new UsedExportsPlugin(['server', 'reads'])],
    node: { __dirname: false, __filename: false },
    optimization: { minimizer: serverMinimizer, moduleIds: 'named', splitChunks: false, nodeEnv: false, concatenateModules: true },
    performance: false,
  }
}
