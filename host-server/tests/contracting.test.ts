import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { TestDatabase } from '../../sdk/testing/database.ts'
import { createDatabase } from '../../sdk/testing/database.ts'
import { clockSeconds } from '../data/db/backoff.ts'
import type { Kernel } from '../kernel.ts'
import { startKernel } from '../kernel.ts'
import type { Toy, ToySite } from './toys.ts'
import { startToySite, toyFiles } from './toys.ts'

const wide = `{ name: '0001-hands', async up(db) {
  await require('kysely').sql\`create table clock__hand (n integer, old integer)\`.execute(db)
  await require('kysely').sql\`insert into clock__hand values (7, 7)\`.execute(db)
} }`
const narrow = `{ name: '0002-less', contracts: true, up: (db) => db.schema.alterTable('clock__hand').dropColumn('old').execute() }`

/** Reads the column that goes, or the one that stays; the slow call does so once a row tells it to. */
function clock(version: string, column: string): Toy {
  const rows = `ctx.db.query.selectFrom('clock__hand').select(['n', '${column}'])`
  return {
    manifest: { version },
    activate: `ctx.routes([
      get('/toy/clock', async () => ({ version: '${version}', rows: await ${rows}.execute() })),
      get('/toy/slow', async () => {
        while (!(await ${rows}.where('n', '=', 8).executeTakeFirst())) await new Promise((resolve) => setTimeout(resolve, 20))
        return '${version}'
      }),
    ])`,
  }
}
const migrations = (...steps: string[]) => `module.exports.default = [${steps}]`

let site: ToySite
let database: TestDatabase | undefined
const others: Kernel[] = []
const folders: string[] = []
afterEach(async () => {
  for (const kernel of others.splice(0)) await kernel.close()
  await site.close()
  await database?.drop()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

async function start(pluginDirs: string[] = []): Promise<void> {
  database = await createDatabase(process.env.STOA_TEST_PG as string)
  site = await startToySite({}, { databaseUrl: database.url, pluginDirs })
}

async function another(pluginDirs: string[] = []): Promise<Kernel> {
  const kernel = await startKernel({
    dataDir: site.dataDir,
    databaseUrl: database?.url,
    port: 0,
    host: '127.0.0.1',
    pluginDirs,
    trustProxy: [],
    rateLimits: false,
    log: () => undefined,
  })
  others.push(kernel)
  return kernel
}

/** A folder with a release of the site in which the clock has this version. */
function release(toy: Toy, steps: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'stoa-release-'))
  folders.push(folder)
  mkdirSync(join(folder, 'clock'))
  for (const [name, content] of Object.entries({ ...toyFiles('clock', toy), 'migrations.cjs': steps }))
    writeFileSync(join(folder, 'clock', name), content)
  return folder
}

const says = async (url: string, path = '/toy/clock') => {
  const response = await fetch(url + path)
  return { status: response.status, ...((await response.json()) as { data: { version: string } }) }
}
const versionAt = async (url: string) => (await says(url)).data?.version
/** The contracting step that has run. */
const contracted = () => site.kernel.data.contractedBeyond('clock', [])

/** Calls all of these without a pause, until it is stopped and says what was not answered well. */
function callSteadily(...urls: string[]) {
  const failures: unknown[] = []
  let running = true
  let answered = 0
  const load = [...urls, ...urls].map(async (url) => {
    while (running) {
      const reply = await says(url)
      answered++
      if (reply.status !== 200) failures.push(reply)
    }
  })
  return {
    async more() {
      const enough = answered + 400
      await expect.poll(() => answered, { timeout: 20_000 }).toBeGreaterThan(enough)
    },
    async stop(): Promise<unknown[]> {
      running = false
      await Promise.all(load)
      return failures
    },
  }
}

async function installClock(): Promise<void> {
  site.add('clock', clock('1.0.0', 'old'))
  site.write('clock/migrations.cjs', migrations(wide))
  await site.switch('clock', true)
}
async function upgradeClock(): Promise<void> {
  site.add('clock', clock('2.0.0', 'n'))
  site.write('clock/migrations.cjs', migrations(wide, narrow))
  await site.kernel.reload('clock')
}

const onPostgres = describe.runIf(process.env.STOA_TEST_DATABASE === 'postgres')
onPostgres('a migration that takes something away, on several nodes', () => {
  it('waits until each of them has finished with the version before; no call fails meanwhile', async () => {
    await start()
    await installClock()
    const second = await another()
    const calls = callSteadily(site.kernel.url, second.url)
    const slow = says(second.url, '/toy/slow')
    await upgradeClock()
    await expect.poll(() => versionAt(second.url), { timeout: 20_000 }).toBe('2.0.0')
    await calls.more()
    expect(await contracted()).toBeUndefined()
    await site.kernel.data.database.write((tx) =>
      tx
        .updateTable('clock__hand' as never)
        .set({ n: 8 } as never)
        .execute(),
    )
    expect(await slow).toMatchObject({ status: 200, data: '1.0.0' })
    await expect.poll(contracted, { timeout: 20_000 }).toBe('0002-less')
    expect(await Promise.all([versionAt(site.kernel.url), versionAt(second.url)])).toEqual(['2.0.0', '2.0.0'])
    expect(await calls.stop()).toEqual([])
  })

  it('waits for a node of the release before, and runs once that has stopped', async () => {
    const before = release(clock('1.0.0', 'old'), migrations(wide))
    const after = release(clock('2.0.0', 'n'), migrations(wide, narrow))
    await start([before])
    const calls = callSteadily(site.kernel.url)
    const second = await another([after])
    await expect.poll(() => versionAt(second.url), { timeout: 20_000 }).toBe('2.0.0')
    await calls.more()
    expect(await contracted()).toBeUndefined()
    expect(await calls.stop()).toEqual([])
    await site.kernel.close()
    await expect.poll(() => second.data.contractedBeyond('clock', []), { timeout: 20_000 }).toBe('0002-less')
    expect(await versionAt(second.url)).toBe('2.0.0')
    await second.close()
    others.pop()
    await site.open()
  })

  it('is given up with its version: what was gone back to keeps its tables', async () => {
    await start()
    await installClock()
    const second = await another()
    const slow = says(second.url, '/toy/slow')
    await upgradeClock()
    await expect.poll(() => versionAt(second.url), { timeout: 20_000 }).toBe('2.0.0')
    await site.kernel.lifecycle().rollback('clock')
    await expect.poll(() => versionAt(second.url), { timeout: 20_000 }).toBe('1.0.0')
    await site.kernel.data.database.write((tx) =>
      tx
        .updateTable('clock__hand' as never)
        .set({ n: 8 } as never)
        .execute(),
    )
    await slow
    await site.restart()
    expect(await contracted()).toBeUndefined()
    expect(await Promise.all([versionAt(site.kernel.url), versionAt(second.url)])).toEqual(['1.0.0', '1.0.0'])
  })

  it.each([
    ['that runs the version before', '{"clock":[]}'],
    ['that is starting', null],
  ])('waits for a silent node %s no longer than its lease, and for one that needs nothing of it not at all', async (_, steps) => {
    await start()
    await installClock()
    const lease = clockSeconds() + 3
    const node = { host: 'elsewhere', pid: 1, epoch: 1 }
    const nodes = [
      { ...node, id: 'silent', steps, lease_until: lease },
      { ...node, id: 'without it', steps: '{"bells":[]}', lease_until: lease + 3600 },
      { ...node, id: 'newer', steps: '{"clock":["0002-less","0003-more"]}', lease_until: lease + 3600 },
    ]
    await site.kernel.data.database.separately((tx) => tx.insertInto('kernel__node').values(nodes).execute())
    await upgradeClock()
    await expect.poll(contracted, { timeout: 20_000 }).toBe('0002-less')
    expect(clockSeconds()).toBeGreaterThanOrEqual(lease)
    expect(site.logged.join('\n')).toContain('0002-less waits until no node runs a version before 2.0.0')
  })
})
