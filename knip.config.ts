import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { KnipConfig } from 'knip'

/** Web files that `plugin.json` names: nobody imports them. */
function webModules(folder: string): string[] {
  const file = `${folder}/plugin.json`
  if (!existsSync(file)) return []
  const { routes = [], slots = [], taps = [], guards = [] } = JSON.parse(readFileSync(file, 'utf8')).contributes ?? {}
  return [...routes, ...slots, ...taps, ...guards].map((contribution: { module: string }) => contribution.module)
}

const plugin = (folder: string) => ({
  entry: [
    'server/{index,reads,seed,commands}.ts',
    'migrations/*.ts',
    'web/index.{ts,tsx}',
    'shared/api.ts',
    'testing/index.ts',
    'tests/**/*.test.{ts,tsx}',
    ...webModules(folder),
  ],
  project: ['**/*.{ts,tsx}'],
})

export default {
  workspaces: {
    '.': {
      entry: [
        'tests/**/*.test.ts',
        'tests/zoo/site-process.ts',
        'tests/support/{again,set-up}.ts',
        'tests/bench/*.ts',
        'tests/looks/vitest.config.ts',
        'tests/second-implementation/questions/{server/{index,reads},migrations/*,web/*}.{ts,tsx}',
        'tests/reference/condense*.ts',
      ],
      project: ['tests/**/*.{ts,tsx}', '*.ts'],
    },
    sdk: {
      entry: [
        '{shared,server,web,testing,build}/index.ts',
        'ui/*.{ts,tsx}',
        'legacy/ui/*.tsx',
        'build/{cli.ts,migrations-entry.js,refresh-loader.js}',
        'tools/{docs,pack-sdk,plugin-new}.ts',
        '**/*.{test,test-d}.{ts,tsx}',
      ],
      project: ['**/*.{ts,tsx,js}'],
    },
    core: { entry: ['entry/*.{ts,tsx}', 'build.ts', '**/*.test.{ts,tsx}'], project: ['**/*.{ts,tsx}'] },
    'host-server': {
      entry: ['main.ts', 'cli/*.{ts,mjs}', '**/*worker.ts', 'data/services/image-process.ts', 'tests/built-server.ts', '**/*.test.ts'],
      project: ['**/*.{ts,mjs}'],
    },
    ...Object.fromEntries(
      ['plugins', 'examples'].flatMap((parent) => readdirSync(parent).map((name) => [`${parent}/${name}`, plugin(`${parent}/${name}`)])),
    ),
  },
  ignore: ['core/tests/fixtures/**'],
  ignoreExportsUsedInFile: true,
  ignoreBinaries: ['apt-get', 'pg_dump'],
  // Used through their command, or only when one of them fits the machine.
  ignoreDependencies: ['@swc/core', '@biomejs/biome', 'dependency-cruiser', 'node-.*'],
} satisfies KnipConfig
