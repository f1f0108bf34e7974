import type { Configuration, RuleSetUse } from '@rspack/core'
import { rspack } from '@rspack/core'
import { cssTargets } from '../shared/share-keys.ts'
import type { Mode } from './mode.ts'

/**
 * What every build for pages has in common, core's and the plugins': TypeScript, styles with class names of their own.
 * @param prefix of class names
 * @param use loaders of the code
 */
export function pagePreset(mode: Mode, prefix: string, use: RuleSetUse) {
  return {
    mode,
    devtool: mode === 'production' ? false : 'source-map',
    resolve: { extensions: ['.ts', '.tsx', '.js', '.jsx', '.json'] },
    module: {
      rules: [
        { test: /\.[jt]sx?$/, exclude: /node_modules/, type: 'javascript/auto', use },
        { test: /\.css$/, type: 'css/auto' },
        // Packages that say they have no side effects mean their code: a sheet that is imported is wanted.
        { test: /(?<!\.module)\.css$/, sideEffects: true },
        { test: /\.(svg|png|jpe?g|webp|avif|gif|woff2?)$/, type: 'asset/resource' },
      ],
      generator: { 'css/auto': { localIdentName: `${prefix}-[local]-[hash]`, exportsConvention: 'camel-case' } },
      parser: { 'css/auto': { namedExports: false } },
    },
    performance: false,
  } satisfies Configuration
}

/** ES modules for browsers. @param name pattern of file names, without ending */
export const browserOutput = (name: string) =>
  ({
    module: true,
    chunkFormat: 'module',
    chunkLoading: 'import',
    filename: `${name}.js`,
    chunkFilename: `${name}.js`,
    cssFilename: `${name}.css`,
    cssChunkFilename: `${name}.css`,
  }) satisfies Configuration['output']

/**
 * For code that runs in the server. V8 keeps the text of what it runs, with two bytes for each character where a single one is not Latin: in every thread
 * (measured on a site of 50 plugins: 20 MB). Names stay: stacks show them.
 */
export const serverMinimizer = [
  new rspack.SwcJsMinimizerRspackPlugin({
    minimizerOptions: { compress: false, mangle: false, format: { ascii_only: true } },
  }),
]

export const minimizer = [
  new rspack.SwcJsMinimizerRspackPlugin(),
  new rspack.LightningCssMinimizerRspackPlugin({ minimizerOptions: { targets: cssTargets } }),
]
