import { spawnSync } from 'node:child_process'
import {
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, gunzipSync, gzipSync } from 'node:zlib'
import { extract, pack } from 'tar-stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestDatabase } from '../../sdk/testing/database.ts'
import { createDatabase } from '../../sdk/testing/database.ts'
import { holdFiles } from '../cli/archive/held-files.ts'
import { restore } from '../cli/archive/restore.ts'
import { shapesOf } from '../cli/archive/shapes.ts'
import type { Snapshot } from '../cli/archive/snapshot.ts'
import { openSnapshot } from '../cli/archive/snapshot.ts'
import { writeArchive } from '../cli/archive/write-archive.ts'
import { readConfig } from '../config.ts'
import { startKernel } from '../kernel.ts'
import { packedToy } from './pack.ts'
import { runStoa } from './run-stoa.ts'

const ROOT = resolve(import.meta.dirname, '..', '..')
const server = process.env.STOA_TEST_PG ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const isPostgres = process.env.STOA_TEST_DATABASE === 'postgres'
const ADMIN = { STOA_ADMIN_NAME: 'owner', STOA_ADMIN_EMAIL: 'owner@example.org', STOA_ADMIN_PASSWORD: 'Owner12345' }

const folder = mkdtempSync(join(tmpdir(), 'stoa-archive-'))
const at = (name: string) => join(folder, name)
const databases: TestDatabase[] = []
const database = async () => {
  const made = await createDatabase(server)
  databases.push(made)
  return made.url
}
const hasPostgres = await createDatabase(server).then(
  (made) => made.drop().then(() => true),
  () => false,
)
let source: Record<string, string>
let word: string

beforeAll(async () => {
  source = { STOA_DATA: at('source'), ...(isPostgres && { DATABASE_URL: await database() }) }
  const { DATABASE_URL: _, ...outer } = process.env
  const run = ['host-server/cli/run.mjs', 'seed', '--posts', '40']
  const seeded = spawnSync(process.execPath, run, { cwd: ROOT, env: { ...outer, ...ADMIN, ...source }, encoding: 'utf8' })
  word = (JSON.parse(seeded.stdout.trim().split('\n').at(-1) as string) as { search: Record<string, string> }).search['0.5'] as string
  mkdirSync(at('source/uploads/post'), { recursive: true })
  writeFileSync(at('source/uploads/post/picture.png'), Buffer.alloc(3_000_000, 7))
  writeFileSync(at('source/uploads/post/empty.png'), '')
  mkdirSync(at('source/uploads/thumbnails/32'), { recursive: true })
  writeFileSync(at('source/uploads/thumbnails/32/picture.webp'), 'made again')
  writeFileSync(at('clock.tgz'), await packedToy('clock'))
  expect(await runStoa(['install', at('clock.tgz')], source)).toMatchObject({ code: 0 })
  expect(await runStoa(['export', at('site.tar.gz')], source)).toMatchObject({ code: 0, errors: '' })
})
afterAll(async () => {
  for (const made of databases) await made.drop()
  rmSync(folder, { recursive: true, force: true })
})

async function opened(env: Record<string, string>): Promise<Snapshot> {
  return await openSnapshot(
    env.DATABASE_URL
      ? { dialect: 'postgres', url: env.DATABASE_URL }
      : { dialect: 'sqlite', file: join(env.STOA_DATA as string, 'stoa.db') },
  )
}

/** Every row of every table that is carried over, in one order. */
async function contents(env: Record<string, string>, without: RegExp): Promise<Map<string, string[]>> {
  const there = await opened(env)
  try {
    const all = new Map<string, string[]>()
    for (const { table, columns } of (await shapesOf(there.ask, there.dialect)).values()) {
      if (without.test(table)) continue
      const rows = await there.ask(`select ${columns.map((name) => `"${name}"`).join(', ')} from "${table}"`)
      all.set(table, rows.map((row) => JSON.stringify(columns.map((name) => row[name]))).sort())
    }
    return all
  } finally {
    await there.close()
  }
}

/** What belongs to a machine, is made again, or says how far a node has come. */
const NOT_COMPARED = /^(kernel__(session|rescue|node|hit|change|migration|event|cursor)|search__)/

/** What somebody who takes an archive apart and packs it anew may do. */
async function repacked(name: string, change: (entry: string, content: Buffer) => [string, Buffer][]): Promise<string> {
  const [from, to] = [extract(), pack()]
  const chunks: Buffer[] = []
  const reading = (async () => {
    for await (const entry of from) {
      const parts: Buffer[] = []
      for await (const part of entry) parts.push(part as Buffer)
      for (const [path, content] of change(entry.header.name, Buffer.concat(parts))) to.entry({ name: path }, content)
    }
    to.finalize()
    for await (const chunk of to) chunks.push(chunk as Buffer)
  })()
  await pipeline(createReadStream(at('site.tar.gz')), createGunzip(), from as unknown as NodeJS.WritableStream)
  await reading
  writeFileSync(at(name), gzipSync(Buffer.concat(chunks)))
  return at(name)
}

const restored = (file: string, env: Record<string, string>) =>
  restore(file, { config: readConfig(env), bundled: join(ROOT, 'build/plugins'), say: () => {} })

describe('stoa export and import', () => {
  it('writes an archive that only its owner reads, and never over a file', async () => {
    if (process.platform !== 'win32') expect(statSync(at('site.tar.gz')).mode & 0o077).toBe(0)
    const names = gunzipSync(readFileSync(at('site.tar.gz'))).toString('latin1')
    expect(names).not.toContain('thumbnails/')
    expect(names).not.toContain('tables/kernel__session')
    expect(names).not.toContain('tables/search__')
    expect(await runStoa(['export', at('site.tar.gz')], source)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('there already'),
    })
    expect(await runStoa(['export', at('none.tar.gz')], { STOA_DATA: at('nowhere') })).toMatchObject({ code: 1 })
  })

  for (const to of isPostgres ? ['sqlite'] : ['sqlite', 'postgres'])
    it.runIf(to === 'sqlite' || hasPostgres)(
      `restores every row and file into an empty ${to}, where the site runs and finds its texts`,
      async () => {
        const target = { STOA_DATA: at(`to-${to}`), ...(to === 'postgres' && { DATABASE_URL: await database() }) }
        expect(await runStoa(['import', at('site.tar.gz')], target)).toMatchObject({ code: 0, errors: '' })
        const [before, after] = [await contents(source, NOT_COMPARED), await contents(target, NOT_COMPARED)]
        expect([...after.keys()]).toEqual([...before.keys()])
        for (const [table, rows] of before) expect(after.get(table), table).toEqual(rows)
        expect(before.get('experiences__post')?.some((row) => /[\u4e00-\u9fff]/.test(row))).toBe(true)
        expect(readFileSync(join(target.STOA_DATA, 'uploads/post/picture.png')).equals(Buffer.alloc(3_000_000, 7))).toBe(true)
        expect(readdirSync(join(target.STOA_DATA, 'uploads/post')).sort()).toEqual(['empty.png', 'picture.png'])
        expect(existsSync(join(target.STOA_DATA, 'uploads/thumbnails'))).toBe(false)
        expect((await runStoa(['list'], target)).out).toMatch(/clock +1\.0\.0 +off/)
        const again = await runStoa(['import', at('site.tar.gz')], target)
        expect(again).toMatchObject({ code: 1, out: '', errors: expect.stringMatching(/^[^\n]+ Nothing was changed\.\n$/) })
        await runs(target)
        for (const held of ['uploads', 'plugins']) rmSync(join(target.STOA_DATA, held), { recursive: true })
        await expect(restored(at('site.tar.gz'), target)).rejects.toThrow(/ (is there|holds a site) already; .*Nothing was changed\.$/)
        const lost = { ...target, ...(to === 'postgres' && { DATABASE_URL: await database() }) }
        if (to === 'sqlite') renameSync(join(target.STOA_DATA, 'stoa.db'), at('away.db'))
        await expect(restored(at('site.tar.gz'), lost)).rejects.toThrow('is gone or empty; put it back')
      },
    )

  it('refuses what is damaged, cut off, changed, newer or leads out of the folder; nothing stays', async () => {
    const whole = readFileSync(at('site.tar.gz'))
    writeFileSync(at('cut.tar.gz'), whole.subarray(0, whole.length / 2))
    writeFileSync(at('text.tar.gz'), 'hello')
    const manifest = (change: (read: { migrations: { kernel: string[] } }) => object) => (name: string, content: Buffer) =>
      [[name, name === 'manifest.json' ? Buffer.from(JSON.stringify(change(JSON.parse(String(content))))) : content]] as [string, Buffer][]
    const cases: [string, RegExp][] = [
      [at('cut.tar.gz'), /damaged or cut off/],
      [at('text.tar.gz'), /damaged or cut off/],
      [await repacked('end.tar.gz', (name, content) => (name === 'manifest.json' ? [] : [[name, content]])), /damaged or cut off/],
      [
        await repacked('row.tar.gz', (name, content) => [
          [name, name.startsWith('tables/kernel__principal/') ? Buffer.from(String(content).replace('"role":1', '"role":2')) : content],
        ]),
        /rows of kernel__principal are not what the manifest says/,
      ],
      [
        await repacked('file.tar.gz', (name, content) => [[name, name.endsWith('empty.png') ? Buffer.from('x') : content]]),
        /the files are not/,
      ],
      [
        await repacked('out.tar.gz', (name, content) => [
          ['files/uploads/../../../out', Buffer.from('x')],
          [name, content],
        ]),
        /does not belong/,
      ],
      [
        await repacked(
          'format.tar.gz',
          manifest((read) => ({ ...read, format: 2 })),
        ),
        /newer Stoa/,
      ],
      [
        await repacked(
          'newer.tar.gz',
          manifest((read) => ({ ...read, migrations: { ...read.migrations, tags: ['9999-later'] } })),
        ),
        /newer version of the plugin tags/,
      ],
      [
        await repacked(
          'missing.tar.gz',
          manifest((read) => ({ ...read, migrations: { kernel: read.migrations.kernel } })),
        ),
        /that its plugins do not make/,
      ],
    ]
    for (const [file, sentence] of cases) {
      await expect(restored(file, { STOA_DATA: at('refused') }), file).rejects.toThrow(sentence)
      expect(readdirSync(at('refused')), file).toEqual([])
    }
    if (!hasPostgres) return
    const url = await database()
    const env = { STOA_DATA: at('refused'), DATABASE_URL: url }
    await expect(restored(at('missing.tar.gz'), env)).rejects.toThrow('do not make')
    expect([...(await contents(env, /^$/)).keys()]).toEqual([])
    expect(readdirSync(at('refused'))).toEqual([])
  })
})

describe('an export beside a site that runs', () => {
  it('holds rows of one moment', async () => {
    const kernel = await startKernel({
      ...{ dataDir: source.STOA_DATA as string, port: 0, host: '127.0.0.1', pluginDirs: [join(ROOT, 'build/plugins')], trustProxy: [] },
      ...{ rateLimits: false, log: () => {}, ...(source.DATABASE_URL && { databaseUrl: source.DATABASE_URL }) },
    })
    const people = await kernel.data.database.query.selectFrom('kernel__principal').select('id').where('state', '=', 'normal').execute()
    const tokens: string[] = []
    for (const { id } of people) tokens.push((await kernel.data.credentials.openSession(id)).token)
    const call = async (token: string | undefined, method: string, path: string, body?: object) => {
      const headers = { 'content-type': 'application/json', ...(token && { authorization: token }) }
      const reply = await fetch(`${kernel.url}/answer${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      return { status: reply.status, ...((await reply.json()) as { data: { list: { id: string }[] } }) }
    }
    const file = at(`beside-${Date.now()}.tar.gz`)
    let written = 0
    try {
      await call(tokens[0], 'PUT', '/admin/api/siteinfo/write', { restrict_answer: false })
      const { list } = (await call(undefined, 'GET', '/api/v1/experience/page?page=1&page_size=40&order=newest')).data
      /** Somebody answers a post and another votes for it: each changes several tables at once. */
      const write = async () => {
        const [id, token] = [list[written % list.length]?.id, tokens[written % tokens.length]]
        const answered = await call(token, 'POST', '/api/v1/answer', { experience_id: id, content: `Number ${++written}.` })
        expect(answered.status).toBe(200)
        await call(tokens[(written + 1) % tokens.length], 'POST', '/api/v1/vote/up', { object_id: id })
      }
      await write()
      const snapshot = await opened(source)
      /** A site on which something is written before each table is read. */
      const busy: Snapshot = {
        ...snapshot,
        async *rows(query) {
          await write()
          yield* snapshot.rows(query)
        },
      }
      const plugins = new Map(kernel.plugins.list().map(({ slug }) => [slug, []]))
      await writeArchive(file, { snapshot: busy, files: at('source'), plugins, say: () => {} })
      await snapshot.close()
    } finally {
      await kernel.close()
    }
    expect(written).toBeGreaterThan(20)
    const target = { STOA_DATA: at('beside') }
    await restored(file, target)
    const { ask, close } = await opened(target)
    try {
      const differing = async (statement: string) => (await ask(statement)).length
      expect(await ask(`select content from answers__text where content like 'Number %'`)).toEqual([{ content: 'Number 1.' }])
      expect(await differing('select id from answers__answer where id not in (select answer_id from answers__text)')).toBe(0)
      expect(
        await differing(`select id from experiences__post p where answer_count <>
          (select count(*) from answers__answer a where a.experience = p.id and a.status = 1)`),
      ).toBe(0)
      expect(
        await differing(`select id from experiences__post p where vote_count <>
          (select coalesce(sum(direction), 0) from votes__ballot b where b.object_kind = 'experience' and b.object_n = p.id)`),
      ).toBe(0)
    } finally {
      await close()
    }
  })

  it('holds a file as it was, that is hidden or deleted before its turn', async () => {
    const folders = { STOA_DATA: at('held') }
    mkdirSync(at('held/uploads/post'), { recursive: true })
    for (const name of ['hidden', 'deleted']) writeFileSync(at(`held/uploads/post/${name}.png`), name)
    const files = await holdFiles(folders.STOA_DATA)
    mkdirSync(at('held/uploads/.hidden/post'), { recursive: true })
    renameSync(at('held/uploads/post/hidden.png'), at('held/uploads/.hidden/post/hidden.png'))
    rmSync(at('held/uploads/post/deleted.png'))
    for (const name of ['hidden', 'deleted']) expect(readFileSync(join(files.folder, `uploads/post/${name}.png`), 'utf8')).toBe(name)
    await files.release()
    expect(readdirSync(folders.STOA_DATA)).toEqual(['uploads'])
  })
})

/** Starts a site there: it finds its texts, and gives numbers on from where it was. */
async function runs(env: Record<string, string>): Promise<void> {
  const kernel = await startKernel({
    ...{ dataDir: env.STOA_DATA as string, port: 0, host: '127.0.0.1', pluginDirs: [join(ROOT, 'build/plugins')], trustProxy: [] },
    ...{ rateLimits: false, log: () => {}, ...(env.DATABASE_URL && { databaseUrl: env.DATABASE_URL }) },
  })
  try {
    await kernel.idle()
    const found = await fetch(`${kernel.url}/answer/api/v1/search?q=${encodeURIComponent(word)}&order=newest&page=1&size=5`)
    expect(((await found.json()) as { data: { count: number } }).data.count).toBeGreaterThan(0)
    const highest = Math.max(
      ...(await kernel.data.database.query.selectFrom('kernel__principal').select('id').execute()).map(({ id }) => id),
    )
    const { id } = await kernel.data.credentials.create({ login: 'later@example.org', password: 'Later12345' })
    expect(id).toBe(highest + 1)
  } finally {
    await kernel.close()
  }
}
