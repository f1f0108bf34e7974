import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Seeder } from '@stoa/sdk/seed'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { ConfigError, readConfig } from '../config.ts'
import type { KernelTables } from '../data/db/tables.ts'
import { loadBundle } from '../kernel/runtime/load-code.ts'
import { startKernel } from '../kernel.ts'
import { createSeedContext } from './seed-context.ts'
import { buildSite } from './site-build.ts'
import { buildFolders } from './site-folders.ts'

/** `npm run seed -- --posts N`: fills the site of `STOA_DATA` or `DATABASE_URL`, which is set up first when it is empty. */
try {
  const posts = postsAskedFor(process.argv.slice(2))
  const config = readConfig(process.env)
  await buildSite({ mode: 'production' })
  const folders = buildFolders('production')
  const kernel = await startKernel({
    ...config,
    siteUrl: config.siteUrl ?? `http://127.0.0.1:${config.port}`,
    host: '127.0.0.1',
    port: 0,
    rateLimits: false,
    pluginDirs: [folders.plugins],
    coreDir: folders.core,
    hostDir: folders.host,
    log: (level, slug, message) => level === 'error' && console.error(`${slug}: ${message}`),
  })
  try {
    if (!kernel.data.site.installed) {
      throw new ConfigError(
        'The site is empty: set STOA_ADMIN_NAME, STOA_ADMIN_EMAIL and STOA_ADMIN_PASSWORD, then it is installed before it is filled.',
      )
    }
    console.log(JSON.stringify(await seedAll(kernel, posts)))
  } finally {
    await kernel.close()
  }
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : (error as Error).stack)
  process.exitCode = 1
}

function postsAskedFor(args: string[]): number {
  const text = args.find((arg) => arg.startsWith('--posts='))?.slice('--posts='.length) ?? args[args.indexOf('--posts') + 1]
  const found = args.some((arg) => arg.startsWith('--posts')) ? Number(text) : 1000
  if (!Number.isInteger(found) || found < 1) throw new ConfigError(`--posts is "${text}"; it must be a whole number of at least 1.`)
  return found
}

/** Runs the seeders of all active plugins, each in a transaction. @returns what they report, together */
async function seedAll(kernel: Awaited<ReturnType<typeof startKernel>>, posts: number): Promise<object> {
  const seeders = kernel
    .view()
    .plugins.filter(({ folder }) => folder !== '' && existsSync(join(folder, 'seed.cjs')))
    .map((plugin) => ({ slug: plugin.manifest.slug, seeder: loadBundle<Seeder>(plugin, 'seed.cjs') }))
    .sort((a, b) => a.seeder.order - b.seeder.order)
  if (kernel.data.dialect === 'sqlite') await kernel.data.database.separately(prepareSqlite)
  const results = new Map<string, Record<string, unknown>>()
  for (const { slug, seeder } of seeders) {
    const started = performance.now()
    const result = await kernel.data.database.separately((db) => {
      kernel.data.database.markShown()
      return seeder.seed(createSeedContext({ kernel, db, slug, posts, results }))
    }, Number.POSITIVE_INFINITY)
    results.set(slug, result)
    console.log(`${slug}: ${((performance.now() - started) / 1000).toFixed(1)} s`)
  }
  await kernel.idle()
  // Until the server has looked at what came, it plans as if every word were as frequent as any other.
  if (kernel.data.dialect === 'postgres') await sql`vacuum analyze`.execute(kernel.data.database.query)
  const { internal: _, ...reported } = Object.assign({}, ...results.values()) as Record<string, unknown>
  return reported
}

/** Indexes in random order are many pages: the usual cache would write each of them out over and over. What is mapped would come on top. */
async function prepareSqlite(db: Kysely<KernelTables>): Promise<void> {
  await sql`pragma cache_size = -200000`.execute(db)
  await sql`pragma mmap_size = 0`.execute(db)
}
