import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Compiler, Configuration } from '@rspack/core'
import { rspack } from '@rspack/core'
import type { Mode } from '../sdk/build/mode.ts'
import { browserOutput, minimizer, pagePreset, serverMinimizer } from '../sdk/build/page-preset.ts'
import { swcOptions } from '../sdk/build/swc-options.ts'

const folder = dirname(fileURLToPath(import.meta.url))

/** The router's package offers its build for development to everybody; that one warns of each address without a page, in the server's log too. */
const routerFiles = join(dirname(createRequire(import.meta.url).resolve('react-router/package.json')), 'dist/production')

/** Base of both builds: the same class names and the same modules, or the browser would not recognise the server's HTML. */
function base(mode: Mode, environment: 'web' | 'node') {
  const preset = pagePreset(mode, 'core', [{ loader: 'builtin:swc-loader', options: swcOptions(true, mode === 'development', false) }])
  const router = { test: /\.mjs$/, include: routerFiles, loader: join(folder, 'drop-unused-router.cjs') }
  const alias = { 'react-router$': join(routerFiles, 'index.mjs'), 'react-router/dom$': join(routerFiles, 'dom-export.mjs') }
  return {
    ...preset,
    ...(mode === 'production' && {
      resolve: { ...preset.resolve, alias },
      module: { ...preset.module, rules: [...preset.module.rules, router] },
    }),
    context: folder,
    plugins: [
      new rspack.NormalModuleReplacementPlugin(/^\.\/HookCodeFactory$/, join(folder, 'no-code-factory.cjs')),
      // What a host with plain entries does not need of the federation runtime.
      new rspack.DefinePlugin({ FEDERATION_OPTIMIZE_NO_SNAPSHOT_PLUGIN: 'true', ENV_TARGET: JSON.stringify(environment) }),
    ],
  } satisfies Configuration
}

/** Gives core's runtime a door for chunks that come in a page's joined file: `__webpack_require__.C(chunk)`. */
class JoinedChunksPlugin {
  apply(compiler: Compiler): void {
    compiler.hooks.thisCompilation.tap('JoinedChunksPlugin', (compilation) => {
      compilation.hooks.runtimeModule.tap('JoinedChunksPlugin', (module) => {
        if (module.name !== 'module_chunk_loading' || !module.source) return
        const text = module.source.source.toString('utf8')
        if (!text.includes('var moduleInstallChunk = ')) throw new Error('This compiler installs chunks otherwise than core expects')
        module.source.source = Buffer.from(`${text}\n__webpack_require__.C = moduleInstallChunk;\n`)
      })
    })
  }
}

/** Core for browsers: ES modules named by content, rarely used parts in chunks of their own. */
function webConfig(mode: Mode, out: string): Configuration {
  return {
    ...base(mode, 'web'),
    name: 'core (web)',
    target: ['web', 'es2022'],
    // What keeps state across versions has to be there before React.
    entry: { main: mode === 'development' ? ['./entry/development.ts', './entry/browser.tsx'] : './entry/browser.tsx' },
    output: {
      ...browserOutput('[name].[contenthash:10]'),
      path: join(out, 'web'),
      clean: true,
      publicPath: '/static/core/',
      uniqueName: 'stoa',
    },
    plugins: [...base(mode, 'web').plugins, new JoinedChunksPlugin()],
    optimization: {
      emitOnErrors: false,
      minimize: mode === 'production',
      moduleIds: 'deterministic',
      chunkIds: 'named',
      mangleExports: 'size',
      minimizer,
    },
  }
}

/** Core for rendering: one file that render workers import. */
function nodeConfig(mode: Mode, out: string): Configuration {
  const shared = base(mode, 'node')
  return {
    ...shared,
    name: 'core (node)',
    // The browser's build writes the styles.
    module: {
      ...shared.module,
      rules: [
        ...shared.module.rules,
        { test: /react-dom-server\.node\.production\.js$/, loader: join(folder, 'write-text.cjs') },
        { test: /jotai[\\/].*internals\.m?js$/, loader: join(folder, 'plain-signal.cjs') },
      ],
      generator: { 'css/auto': { ...shared.module.generator['css/auto'], exportsOnly: true } },
    },
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
    plugins: [...shared.plugins, new rspack.optimize.LimitChunkCountPlugin({ maxChunks: 1 })],
    optimization: { emitOnErrors: false, minimize: mode === 'production', minimizer: serverMinimizer, moduleIds: 'named' },
  }
}

/** Both builds of core. @param out folder that gets `web/` and `node/` */
export const coreConfigs = (mode: Mode, out: string): Configuration[] => [webConfig(mode, out), nodeConfig(mode, out)]
