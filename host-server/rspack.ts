import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Configuration } from '@rspack/core'
import { serverMinimizer } from '../sdk/build/page-preset.ts'
import { swcOptions } from '../sdk/build/swc-options.ts'

const folder = dirname(fileURLToPath(import.meta.url))

/**
 * The server as files of its own. Its threads: a read worker that loads 400 small files takes ten times as long to open (measured: 400 ms of a
 * processor against 40). The commands that people wait for: each a file in itself, since a later build takes away what a running site might load later.
 */
export const hostConfig = (out: string): Configuration => ({
  name: 'host',
  mode: 'production',
  context: folder,
  target: 'node22',
  entry: {
    'read-worker': './reads/worker.ts',
    'render-worker': './pages/render-worker.ts',
    'watchdog-worker': './kernel/faults/watchdog-worker.ts',
    commands: { import: './commands.ts', library: { type: 'module' } },
  },
  output: { path: out, filename: '[name].mjs', module: true, chunkFormat: 'module', clean: true },
  // Native code lies where its package is.
  externals: { 'better-sqlite3': 'module better-sqlite3', '@node-rs/argon2': 'module @node-rs/argon2' },
  // A faster client that nobody asks for, and what finds files for a mode of serving that is not used here: 1 MB and 30 ms of each start (measured).
  resolve: { extensions: ['.ts', '.js', '.mjs', '.json'], alias: { 'pg-native': false, glob: false } },
  module: {
    parser: { javascript: { importMeta: false, url: false, worker: false, dynamicImportMode: 'eager' } },
    rules: [{ test: /\.ts$/, exclude: /node_modules/, loader: 'builtin:swc-loader', options: swcOptions(false) }],
  },
  // What plugins ask of the sdk is asked by name.
  optimization: { emitOnErrors: false, minimizer: serverMinimizer, moduleIds: 'named', nodeEnv: false },
  performance: false,
})
