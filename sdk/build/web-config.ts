import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Configuration } from '@rspack/core'
import { rspack } from '@rspack/core'
import { shareKeys } from '../shared/share-keys.ts'
import { LeanRuntimePlugin } from './lean-runtime.ts'
import type { Mode } from './mode.ts'
import { CONTAINER, chunkName, exposeName } from './module-names.ts'
import { browserOutput, minimizer, pagePreset } from './page-preset.ts'
import type { PluginSource } from './plugin-source.ts'
import { refuseRouter } from './refuse-router.ts'
import { swcOptions } from './swc-options.ts'
import { UsedExportsPlugin } from './used-exports.ts'

const PURE_LOADER = join(import.meta.dirname, 'pure-loader.js')
const { resolve } = createRequire(import.meta.url)
/** Holds names of the kernel's calls, for the few pages that look after plugins and their settings; too small to be shared. */
const bundled = Object.fromEntries(['@stoa/sdk/administration', '@stoa/sdk/web/member-settings'].map((name) => [`${name}$`, resolve(name)]))
const REFRESH_LOADER = join(import.meta.dirname, 'refresh-loader.js')

/**
 * A lean federation container: 1.5 KB brotli an entry, where the full plugin of the runtime would bring 26 (measured).
 * `generation` must differ between builds that differ: with one name, a browser replays old chunks and old styles.
 */
export function webConfig(source: PluginSource, out: string, mode: Mode, generation: string): Configuration {
  const { slug } = source.manifest
  const production = mode === 'production'
  // Addresses hold the generation: a build that is made again and again writes the same names.
  const name = production ? '[name].[contenthash:10]' : '[name]'
  const preset = pagePreset(mode, slug, [
    { loader: PURE_LOADER },
    ...(production ? [] : [{ loader: REFRESH_LOADER, options: { slug } }]),
    { loader: 'builtin:swc-loader', options: swcOptions(true, !production) },
  ])
  return {
    ...preset,
    module: {
      ...preset.module,
      rules: [...preset.module.rules, { test: /[\\/]node_modules[\\/].*\.js$/, use: [{ loader: PURE_LOADER }] }],
    },
    name: `${slug} (web)`,
    context: source.folder,
    target: ['web', 'es2022'],
    entry: {},
    output: {
      ...browserOutput(name),
      path: out,
      publicPath: 'auto',
      uniqueName: `${slug.replaceAll('-', '_')}_${generation}`,
      strictModuleErrorHandling: true,
      assetModuleFilename: '[name].[contenthash:10][ext]',
    },
    externals: [refuseRouter],
    // Shared modules never come here: what does is a part of the sdk that core does not offer, and must not be bundled.
    resolve: { ...preset.resolve, alias: { ...bundled, '@stoa/sdk': join(source.folder, 'not-shared-by-core') } },
    optimization: {
      minimize: production,
      // What a plugin takes and gives is read from what its modules use, while it is written as well.
      usedExports: true,
      moduleIds: production ? 'deterministic' : 'named',
      chunkIds: production ? 'deterministic' : 'named',
      minimizer,
    },
    plugins: [
      new LeanRuntimePlugin(),
      new UsedExportsPlugin([CONTAINER]),
      new rspack.container.ModuleFederationPluginV1({
        name: CONTAINER,
        library: { type: 'module' },
        // A module may be called entry, but no chunk has a point in its name.
        filename: production ? 'entry.[contenthash:10].js' : 'entry.container.js',
        exposes: Object.fromEntries(
          source.modules.map((module) => [exposeName(module), { import: [`./${module}`], name: chunkName(module) }]),
        ),
        shared: Object.fromEntries(
          Object.entries(shareKeys).map(([key, range]) => [
            key,
            { singleton: true, import: false as const, strictVersion: true, requiredVersion: range },
          ]),
        ),
      }),
    ],
  }
}
