import { join } from 'node:path'
import type { Configuration } from '@rspack/core'
import { rspack } from '@rspack/core'
import { cssTargets, shareKeys } from '../shared/share-keys.ts'
import { LeanRuntimePlugin } from './lean-runtime.ts'
import type { Mode } from './mode.ts'
import { CONTAINER, chunkName, exposeName } from './module-names.ts'
import type { PluginSource } from './plugin-source.ts'
import { swcOptions } from './swc-options.ts'

const REFRESH_LOADER = join(import.meta.dirname, 'refresh-loader.js')

/**
 * A lean federation container: 1.5 KB brotli an entry, where the full plugin of the runtime would bring 26 (measured).
 * `generation` must differ between builds that differ: with one name, a browser replays old chunks and old styles.
 * @param runtime tells after the build what the chunks take from the host
 */
export function webConfig(
  source: PluginSource,
  out: string,
  mode: Mode,
  generation: string,
  runtime = new LeanRuntimePlugin(),
): Configuration {
  const { slug } = source.manifest
  const production = mode === 'production'
  // Addresses hold the generation: a build that is made again and again writes the same names.
  const name = production ? '[name].[contenthash:10]' : '[name]'
  return {
    name: `${slug} (web)`,
    mode,
    context: source.folder,
    target: ['web', 'es2022'],
    entry: {},
    devtool: production ? false : 'source-map',
    output: {
      path: out,
      module: true,
      chunkFormat: 'module',
      chunkLoading: 'import',
      publicPath: 'auto',
      uniqueName: `${slug.replaceAll('-', '_')}_${generation}`,
      strictModuleErrorHandling: true,
      filename: `${name}.js`,
      chunkFilename: `${name}.js`,
      cssFilename: `${name}.css`,
      cssChunkFilename: `${name}.css`,
      assetModuleFilename: '[name].[contenthash:10][ext]',
    },
    // Shared modules never come here: what does is a part of the sdk that core does not offer, and must not be bundled.
    resolve: { extensions: ['.ts', '.tsx', '.js', '.jsx', '.json'], alias: { '@stoa/sdk': join(source.folder, 'not-shared-by-core') } },
    module: {
      rules: [
        {
          test: /\.[jt]sx?$/,
          exclude: /node_modules/,
          type: 'javascript/auto',
          use: [
            ...(production ? [] : [{ loader: REFRESH_LOADER, options: { slug } }]),
            { loader: 'builtin:swc-loader', options: swcOptions(true, !production) },
          ],
        },
        { test: /\.css$/, type: 'css/auto' },
        { test: /\.(svg|png|jpe?g|webp|avif|gif|woff2?)$/, type: 'asset/resource' },
      ],
      generator: { 'css/auto': { localIdentName: `${slug}-[local]-[hash]`, exportsConvention: 'camel-case' } },
      parser: { 'css/auto': { namedExports: false } },
    },
    optimization: {
      minimize: production,
      moduleIds: production ? 'deterministic' : 'named',
      chunkIds: production ? 'deterministic' : 'named',
      minimizer: [
        new rspack.SwcJsMinimizerRspackPlugin(),
        new rspack.LightningCssMinimizerRspackPlugin({ minimizerOptions: { targets: cssTargets } }),
      ],
    },
    performance: false,
    plugins: [
      runtime,
      new rspack.container.ModuleFederationPluginV1({
        name: CONTAINER,
        library: { type: 'module' },
        filename: production ? 'entry.[contenthash:10].js' : 'entry.js',
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
