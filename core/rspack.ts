import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Configuration } from '@rspack/core'
import { rspack } from '@rspack/core'
import { cssTargets } from '../sdk/shared/share-keys.ts'

export type Mode = 'production' | 'development'

const folder = dirname(fileURLToPath(import.meta.url))

/** Base of both builds: the same class names and the same modules, or the browser would not recognise the server's HTML. */
function base(mode: Mode, isServer: boolean): Configuration {
  return {
    mode,
    context: folder,
    devtool: mode === 'production' ? false : 'source-map',
    resolve: { extensions: ['.ts', '.tsx', '.js', '.json'] },
    module: {
      rules: [
        {
          test: /\.tsx?$/,
          type: 'javascript/auto',
          loader: 'builtin:swc-loader',
          options: {
            jsc: {
              parser: { syntax: 'typescript', tsx: true },
              transform: { react: { runtime: 'automatic', development: mode === 'development' } },
              target: 'es2022',
            },
          },
        },
        { test: /\.css$/, type: 'css/auto' },
      ],
      generator: {
        'css/auto': { localIdentName: 'core-[local]-[hash]', exportsConvention: 'camel-case', ...(isServer ? { exportsOnly: true } : {}) },
      },
      parser: { 'css/auto': { namedExports: false } },
    },
    plugins: [
      // What a host with plain entries does not need of the federation runtime.
      new rspack.DefinePlugin({ FEDERATION_OPTIMIZE_NO_SNAPSHOT_PLUGIN: 'true', ENV_TARGET: isServer ? '"node"' : '"web"' }),
    ],
    performance: false,
  }
}

/** Core for browsers: ES modules named by content, rarely used parts in chunks of their own. */
function webConfig(mode: Mode, out: string): Configuration {
  return {
    ...base(mode, false),
    name: 'core (web)',
    target: ['web', 'es2022'],
    // What keeps state across versions has to be there before React.
    entry: { main: mode === 'development' ? ['./entry/development.ts', './entry/browser.tsx'] : './entry/browser.tsx' },
    output: {
      path: join(out, 'web'),
      clean: true,
      module: true,
      chunkFormat: 'module',
      chunkLoading: 'import',
      publicPath: '/static/core/',
      uniqueName: 'stoa',
      filename: '[name].[contenthash:10].js',
      chunkFilename: '[name].[contenthash:10].js',
      cssFilename: '[name].[contenthash:10].css',
      cssChunkFilename: '[name].[contenthash:10].css',
    },
    optimization: {
      minimize: mode === 'production',
      moduleIds: 'deterministic',
      chunkIds: 'named',
      minimizer: [
        new rspack.SwcJsMinimizerRspackPlugin(),
        new rspack.LightningCssMinimizerRspackPlugin({ minimizerOptions: { targets: cssTargets } }),
      ],
    },
  }
}

/** Core for rendering: one file that render workers import. */
function nodeConfig(mode: Mode, out: string): Configuration {
  const shared = base(mode, true)
  return {
    ...shared,
    name: 'core (node)',
    target: 'node22',
    entry: { core: './entry/server.tsx' },
    output: {
      path: join(out, 'node'),
      clean: true,
      module: true,
      chunkFormat: 'module',
      library: { type: 'module' },
      uniqueName: 'stoa',
      filename: '[name].mjs',
    },
    plugins: [...(shared.plugins ?? []), new rspack.optimize.LimitChunkCountPlugin({ maxChunks: 1 })],
    optimization: { minimize: false, moduleIds: 'named' },
  }
}

/** Both builds of core. @param out folder that gets `web/` and `node/` */
export const coreConfigs = (mode: Mode, out: string): Configuration[] => [webConfig(mode, out), nodeConfig(mode, out)]
