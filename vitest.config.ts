import { existsSync, readdirSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { postgres } from './tests/support/databases.ts'
import Mixed from './tests/support/sequence.ts'

/** Examples are tested as projects of their own, by `tests/examples`. */
const everywhere = ['**/node_modules/**', 'build/**', 'examples/**']
/** Plugins that have tables of their own, and those that read other plugins' statements. */
const withTables = readdirSync('plugins').filter((slug) => existsSync(`plugins/${slug}/migrations`))
const readingTables = ['dashboard', 'install', 'metrics', 'recommendations', 'share', 'sitemap']
/** What has SQL in it, and so has to pass on each database. The rest is the same code whichever it is, and runs on the embedded one. */
const stored = [
  `plugins/{${[...withTables, ...readingTables].join(',')}}/tests/**/*.test.ts`,
  'host-server/data/**/*.test.ts',
  'host-server/tests/{archive,changed-tables,command-line,health,http,names,packages,quarantine,reading,rescue,sign-in,starting,switching,versions}.test.ts',
  'tests/contract/{kept-pages,many-writers,personal-data,right-pages,seed,visits}.test.ts',
  'tests/reference/**/*.test.ts',
  'tests/second-implementation/**/*.test.ts',
  'tests/crash/**/*.test.ts',
  'tests/zoo/**/*.test.ts',
  'tests/legacy/data.test.ts',
]

const common = {
  testTimeout: 120_000,
  hookTimeout: 60_000,
  /** One more than the processors of a small machine: one of them usually waits for a browser. */
  maxWorkers: 3,
  /**
   * A process goes on with the next file of its project, its modules loaded and its code warm: a third of a run is spent on that otherwise
   * (measured). It ends where the next file is of another project, so there are few, each in one piece.
   */
  isolate: false,
  /** What is polled for comes in milliseconds; a busy machine may need seconds. */
  expect: { poll: { timeout: 15_000 } },
}

export default defineConfig({
  test: {
    globalSetup: ['tests/support/set-up.ts'],
    sequence: { sequencer: Mixed },
    reporters: ['default', './tests/support/remarks.ts', ['json', { outputFile: 'build/test-results.json' }]],
    projects: [
      {
        test: {
          ...common,
          name: 'sqlite',
          include: ['**/*.test.{ts,tsx}'],
          exclude: everywhere,
          env: { STOA_TEST_DATABASE: 'sqlite' },
        },
      },
      ...(postgres
        ? [
            {
              test: {
                ...common,
                name: 'postgres',
                include: stored,
                exclude: everywhere,
                env: { STOA_TEST_DATABASE: 'postgres', STOA_TEST_PG: postgres.url },
              },
            },
          ]
        : []),
    ],
  },
})
