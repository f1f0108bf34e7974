import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { randomNumbers } from '../../host-server/cli/seed-context.ts'
import { recordFile } from '../../host-server/shared/run-record.ts'
import { packedToy } from '../../host-server/tests/pack.ts'
import type { Toy } from '../../host-server/tests/toys.ts'
import { toyFiles } from '../../host-server/tests/toys.ts'
import type { TestDatabase } from '../../sdk/testing/database.ts'
import { createDatabase } from '../../sdk/testing/database.ts'

/** Kills the site in the middle of everything, and looks at what it left. `STOA_CRASH_SEED` repeats a run. */
const seed = process.env.STOA_CRASH_SEED ?? String(Date.now())
const random = randomNumbers(seed)
const ROUNDS = 5
const MAIN = resolve(import.meta.dirname, '../../host-server/main.ts')
const ADMIN = '/answer/admin/api'
const API = '/answer/api/v1'

/** Stores a note with an event and a job that share its key, and counts how often each was carried out. */
const ledger: Toy = {
  members: '',
  activate: `
    const noted = event('ledger.noted')
    const work = { kind: 'job', id: 'ledger.work' }
    const count = (what, note) => ctx.db.write(async (tx) => {
      await tx.insertInto('ledger__done').values({ what, note, times: 1 })
        .onConflict((oc) => oc.columns(['what', 'note']).doUpdateSet((eb) => ({ times: eb('ledger__done.times', '+', 1) }))).execute()
    })
    ctx.on(noted, ({ note }) => count('event', note))
    ctx.jobs.handle(work, ({ note }) => count('job', note))
    ctx.routes([
      route({ method: 'POST', path: '/ledger/note', access: 'open', summary: 'x', body: Type.Object({ note: Type.String() }), reply: Type.Unknown(),
        handle: ({ body: { note } }) => ctx.db.write(async (tx) => {
          await tx.insertInto('ledger__note').values({ note }).execute()
          for (const _ of [1, 2]) {
            await ctx.emit(noted, { note }, { key: note })
            await ctx.jobs.enqueue(work, { note }, { key: note })
          }
        }) }),
      get('/ledger/all', async () => ({
        notes: (await ctx.db.query.selectFrom('ledger__note').select('note').execute()).map((row) => row.note),
        done: await ctx.db.query.selectFrom('ledger__done').selectAll().execute(),
      })),
    ])`,
}
const migrations = `module.exports.default = [{ name: '0001-notes', async up(db) {
  await db.schema.createTable('ledger__note').addColumn('note', 'text', (c) => c.notNull().unique()).execute()
  await db.schema.createTable('ledger__done').addColumn('what', 'text', (c) => c.notNull()).addColumn('note', 'text', (c) => c.notNull())
    .addColumn('times', 'integer', (c) => c.notNull()).addPrimaryKeyConstraint('ledger__done_pk', ['what', 'note']).execute()
} }]`
const clock = (version: string, breaks: boolean): Toy => ({
  manifest: { version },
  activate: breaks ? `throw new Error('broken on purpose')` : `ctx.routes([get('/toy/clock', () => ${JSON.stringify(version)})])`,
})

let dataDir: string
let database: TestDatabase | undefined
let url = ''
let token = ''
let kill: () => Promise<void> = async () => undefined

/**
 * Starts the site as an operator does, who knows by whom it was killed: it is not to suspect what was installed.
 * @param killAfterMs kills it again, wherever it is by then
 */
async function start(killAfterMs?: number): Promise<void> {
  rmSync(recordFile(dataDir, 0), { force: true })
  const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(STOA_|DATABASE_URL|SMTP_URL|PORT|HOST)/.test(name)))
  const child = spawn(process.execPath, [MAIN], {
    env: {
      ...clean,
      PORT: '0',
      HOST: '127.0.0.1',
      STOA_DATA: dataDir,
      STOA_RATE_LIMITS: 'off',
      STOA_LANG: 'en_US',
      STOA_ADMIN_NAME: 'owner',
      STOA_ADMIN_EMAIL: 'owner@example.org',
      STOA_ADMIN_PASSWORD: 'Owner12345',
      ...(database && { DATABASE_URL: database.url }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const gone = new Promise<void>((done) => child.once('exit', () => done()))
  kill = async () => {
    child.kill('SIGKILL')
    await gone
  }
  const ready = new Promise<string>((done) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk
        const address = /Ready at (\S+)/.exec(output)?.[1]
        if (address) done(address)
      })
  })
  if (killAfterMs !== undefined) {
    await Promise.race([delay(killAfterMs), gone])
    return await kill()
  }
  const address = await Promise.race([ready, gone.then(() => '')])
  expect(address, output).not.toBe('')
  url = address
}

interface Reply {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: replies have any shape
  data: any
}
async function call(method: string, path: string, body?: unknown): Promise<Reply> {
  const response = await fetch(url + path, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...(token && { authorization: token }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, data: ((await response.json()) as { data: unknown }).data }
}
async function upload(content: Buffer): Promise<number> {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(content)]), 'clock.tgz')
  return (await fetch(`${url}${ADMIN}/plugin/install`, { method: 'POST', headers: { authorization: token }, body: form })).status
}

/** What the site said it did, and what it was asked and had not said yet. */
const said = { posts: [] as { id: string; title: string }[], notes: [] as string[], votes: true, clock: '' }
const asked = { votes: true, clocks: [] as string[] }

/** Does `step` over and over until the site is gone. */
async function until(gone: () => boolean, step: (n: number) => Promise<void>): Promise<void> {
  for (let n = 0; !gone(); n++) {
    try {
      await step(n)
    } catch {
      // The site went away in the middle: that is what this is about.
      await delay(5)
    }
  }
}

async function trouble(round: number, ms: number): Promise<void> {
  let isGone = false
  const gone = () => isGone
  const post = (writer: string) => async (n: number) => {
    const title = `Killed in round ${round} by ${writer} at ${n}`
    const tags = [{ slug_name: 'crash', display_name: 'crash', original_text: '' }]
    const { status, data } = await call('POST', `${API}/experience`, { title, content: `What was said stays: ${title}`, tags })
    if (status === 200) said.posts.push({ id: data.id, title })
  }
  const note = async (n: number) => {
    const text = `${round}.${n}`
    if ((await call('POST', '/ledger/note', { note: text })).status === 200) said.notes.push(text)
  }
  const toggle = async () => {
    asked.votes = !said.votes
    const wish = { plugin_slug_name: 'votes', enabled: asked.votes }
    const first = await call('PUT', `${ADMIN}/plugin/status`, wish)
    const { status } = first.data?.epoch ? await call('PUT', `${ADMIN}/plugin/status`, { ...wish, confirm: first.data.epoch }) : first
    if (status === 200) said.votes = asked.votes
  }
  const install = async (n: number) => {
    const breaks = n % 3 === 2
    const version = `${round + 1}.${n}.0`
    asked.clocks.push(version)
    const status = await upload(await packedToy('clock', clock(version, breaks)))
    if (status === 200) said.clock = version
    // Without an answer it stays: the site may have done it before it went.
    asked.clocks.pop()
  }
  const loops = [until(gone, post('one')), until(gone, post('two')), until(gone, note), until(gone, toggle), until(gone, install)]
  await delay(ms)
  await kill()
  isGone = true
  await Promise.all(loops)
}

async function look(): Promise<void> {
  const found = await Promise.all(said.posts.map(async ({ id }) => (await call('GET', `${API}/experience/info?id=${id}`)).data?.title))
  expect(found).toEqual(said.posts.map(({ title }) => title))
  const all = async () =>
    (await call('GET', '/ledger/all')).data as { notes: string[]; done: { what: string; note: string; times: number }[] }
  const { notes } = await all()
  expect(notes).toEqual(expect.arrayContaining(said.notes))
  const rows = (await call('GET', `${ADMIN}/plugins`)).data as { slug_name: string; enabled: boolean; version: string }[]
  const row = (slug: string) => rows.find((entry) => entry.slug_name === slug)
  expect([said.votes, asked.votes]).toContain(row('votes')?.enabled)
  const version = row('clock')?.version ?? ''
  expect([said.clock, ...asked.clocks]).toContain(version)
  if (row('clock')?.enabled) expect((await call('GET', '/toy/clock')).data).toBe(version)
  const store = join(dataDir, 'plugins/.versions')
  expect(readdirSync(store).filter((name) => name.endsWith('.tmp'))).toEqual([])
  for (const key of existsSync(join(store, 'clock')) ? readdirSync(join(store, 'clock')) : [])
    expect(existsSync(join(store, 'clock', key, 'plugin.json')), key).toBe(true)
  said.votes = asked.votes = row('votes')?.enabled ?? true
  said.clock = version
  asked.clocks = []
  // Every note that is there was told of and worked on, whoever was killed over it.
  await expect
    .poll(
      async () => {
        const { done } = await all()
        return notes.filter((note) => ['event', 'job'].some((what) => !done.some((entry) => entry.note === note && entry.what === what)))
      },
      { timeout: 60_000, interval: 250 },
    )
    .toEqual([])
}

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'stoa-crash-'))
  if (process.env.STOA_TEST_DATABASE === 'postgres') database = await createDatabase(process.env.STOA_TEST_PG as string)
  mkdirSync(join(dataDir, 'plugins/ledger'), { recursive: true })
  for (const [name, content] of Object.entries({ ...toyFiles('ledger', ledger), 'migrations.cjs': migrations }))
    writeFileSync(join(dataDir, 'plugins/ledger', name), content)
}, 120_000)
afterAll(async () => {
  await kill()
  await database?.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

describe('a site that is killed in the middle of everything', () => {
  it(`loses nothing it acknowledged, runs nothing half-installed, and comes up again (STOA_CRASH_SEED=${seed})`, async () => {
    await start()
    token = (await call('POST', `${API}/user/login/email`, { e_mail: 'owner@example.org', pass: 'Owner12345' })).data.access_token
    expect((await call('PUT', `${ADMIN}/plugin/status`, { plugin_slug_name: 'ledger', enabled: true })).status).toBe(200)
    expect(await upload(await packedToy('clock', clock('1.0.0', false)))).toBe(200)
    expect((await call('PUT', `${ADMIN}/plugin/status`, { plugin_slug_name: 'clock', enabled: true })).status).toBe(200)
    said.clock = '1.0.0'
    for (let round = 1; round <= ROUNDS; round++) {
      await trouble(round, 150 + random() * 1200)
      if (round === 3) await start(random() * 1500)
      await start()
      await look()
    }
    expect(said.posts.length).toBeGreaterThan(0)
    // Killed a few times, no piece of work was done more often than that; the same key never made two of it.
    const { done } = (await call('GET', '/ledger/all')).data as { done: { times: number }[] }
    expect(Math.max(...done.map(({ times }) => times))).toBeLessThanOrEqual(1 + ROUNDS)
    const again = done.filter(({ times }) => times > 1).length
    expect(again).toBeLessThanOrEqual(ROUNDS * 20)
  }, 300_000)
})
