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
  'host-server/tests/{archive,changed-tables,command-line,contracting,health,http,names,packages,quarantine,reading,rescue,sign-in,starting,switching,versions}.test.ts',
  'tests/contract/{kept-pages,many-writers,personal-data,right-pages,seed,visits}.test.ts',
  'tests/reference/**/*.test.ts',
  'tests/second-implementation/**/*.test.ts',
  'tests/crash/**/*.test.ts',
  'tests/zoo/**/*.test.ts',
  'tests/legacy/data.test.ts',
]

/** Of those, what has no statement of its own: pages in a browser, rules of texts, plugin files in folders. Their plugins' other tests ask the tables. */
const sameOnEach = [
  'plugins/admin/tests/admin-pages.test.ts',
  'plugins/accounts/tests/{login-order,pages,qr-login}.test.ts',
  'plugins/captcha/tests/dialog.test.ts',
  'plugins/site/tests/{markdown,rendering,themes}.test.ts',
  'plugins/mail/tests/usual-ports.test.ts',
  'plugins/experiences/tests/text-rules.test.ts',
  'plugins/search/tests/{highlight,query-syntax}.test.ts',
]

/** What only one of the databases has. */
const onlyPostgres = ['**/postgres-*.test.ts']

const common = {
  testTimeout: 120_000,
  hookTimeout: 60_000,
  /** Two more than the processors of a small machine: with one more these were busy for 65 % of a run (measured), the rest was waiting. */
  maxWorkers: 4,
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
          exclude: [...everywhere, ...onlyPostgres],
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
                exclude: [...everywhere, ...sameOnEach],
                env: { STOA_TEST_DATABASE: 'postgres', STOA_TEST_PG: postgres.url },
              },
            },
          ]
        : []),
    ],
  },
})
