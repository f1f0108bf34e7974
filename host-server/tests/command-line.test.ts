import { spawnSync } from 'node:child_process'
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import SqliteFile from 'better-sqlite3'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestDatabase } from '../../sdk/testing/database.ts'
import { createDatabase } from '../../sdk/testing/database.ts'
import { packedToy } from './pack.ts'
import { runStoa } from './run-stoa.ts'
import type { Toy, ToySite } from './toys.ts'
import { startToySite } from './toys.ts'

const ROOT = resolve(import.meta.dirname, '..', '..')
const saying = (version: string): Toy => ({
  manifest: { version },
  activate: `ctx.routes([get('/toy/clock', () => ${JSON.stringify(version)})])`,
})

let site: ToySite
let database: TestDatabase | undefined
let isRunning = true
beforeAll(async () => {
  if (process.env.STOA_TEST_DATABASE === 'postgres') database = await createDatabase(process.env.STOA_TEST_PG as string)
  site = await startToySite({}, { pluginDirs: [join(ROOT, 'build/plugins')], ...(database && { databaseUrl: database.url }) })
})
afterAll(async () => {
  if (isRunning) await site.close()
  await database?.drop()
})

const stoa = (...args: string[]) => runStoa(args, { STOA_DATA: site.dataDir, ...(database && { DATABASE_URL: database.url }) })
const listed = async (slug: string) => {
  const { out } = await stoa('list', '--json')
  return (JSON.parse(out) as { plugins: { slug: string }[] }).plugins.find((plugin) => plugin.slug === slug)
}
const says = async () => (await site.call('GET', '/toy/clock')).data
const file = (name: string) => join(site.dataDir, name)
/** What is the same code whichever the database is runs on the embedded one alone: each command starts a process. */
const once = process.env.STOA_TEST_DATABASE !== 'postgres' ? it : () => {}

describe('stoa, beside a site that runs', () => {
  once('says what it does not understand, and refuses with one sentence', async () => {
    expect((await stoa('help')).out).toContain('rescue-link')
    for (const args of [['dance'], ['enable'], ['enable', 'a', 'b'], ['list', '--loud'], ['safe-mode', 'maybe']])
      expect((await stoa(...args)).code, args.join(' ')).toBe(2)
    const unknown = await stoa('enable', 'nobody')
    expect(unknown).toMatchObject({ code: 1, out: '', errors: expect.stringMatching(/^There is no plugin named "nobody"[^\n]*\n$/) })
    writeFileSync(file('no.tgz'), 'hello')
    expect(await stoa('install', file('no.tgz'))).toMatchObject({ code: 1, errors: expect.stringContaining('was refused') })
    writeFileSync(file('webhook.tgz'), await packedToy('webhook'))
    expect(await stoa('install', file('webhook.tgz'))).toMatchObject({ code: 1, errors: expect.stringContaining('kept for a plugin') })
    expect(await listed('webhook')).toBeUndefined()
  })

  once('names what goes along, and switches when that is agreed to; the site follows before the command ends', async () => {
    const isOn = () => site.kernel.plugins.list().find((plugin) => plugin.slug === 'admin')?.state
    expect(await stoa('disable', 'admin')).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/essential.*Nothing was changed.*--yes/),
    })
    expect(isOn()).toBe('on')
    expect((await stoa('disable', 'admin', '--yes')).code).toBe(0)
    expect(isOn()).toBe('off')
    expect(await stoa('disable', 'experiences')).toMatchObject({ code: 1, errors: expect.stringMatching(/Also goes off: .*answers/) })
    expect((await stoa('enable', 'admin')).code).toBe(0)
    expect(isOn()).toBe('on')
  })

  once('closes the site to all but staff, and opens it again', async () => {
    expect(await stoa('close', 'sometimes')).toMatchObject({ code: 2, errors: expect.stringContaining('stoa close reading') })
    const status = async () => (await fetch(`${site.kernel.url}/answer/api/v1/experience/page`)).status
    expect((await stoa('close', 'nobody')).code).toBe(0)
    await expect.poll(status).toBe(503)
    expect((await stoa('open')).code).toBe(0)
    await expect.poll(status).toBe(200)
  })

  once('keeps the last language on, as the admin page does', async () => {
    expect((await stoa('disable', 'locale-zh-cn', '--yes')).code).toBe(0)
    expect(await stoa('disable', 'locale-en-us', '--yes')).toMatchObject({ code: 1, errors: expect.stringMatching(/last .*language/) })
    expect((await stoa('enable', 'locale-zh-cn')).code).toBe(0)
  })

  it('installs, replaces, goes back and removes; what does not start is taken back with the reason', async () => {
    writeFileSync(file('clock-1.tgz'), await packedToy('clock', saying('1.0.0')))
    writeFileSync(file('clock-2.tgz'), await packedToy('clock', saying('2.0.0')))
    writeFileSync(
      file('clock-3.tgz'),
      await packedToy('clock', { manifest: { version: '3.0.0' }, activate: `throw new Error('no hands')` }),
    )
    expect(await stoa('plugin', 'install', file('clock-1.tgz'))).toMatchObject({
      code: 0,
      out: expect.stringContaining('stoa enable clock'),
    })
    expect((await stoa('enable', 'clock')).code).toBe(0)
    expect(await says()).toBe('1.0.0')
    expect((await stoa('install', file('clock-2.tgz'))).code).toBe(0)
    expect(await says()).toBe('2.0.0')
    expect(await stoa('install', file('clock-3.tgz'))).toMatchObject({ code: 1, errors: expect.stringContaining('no hands') })
    expect(await says()).toBe('2.0.0')
    expect(await listed('clock')).toMatchObject({ version: '2.0.0', state: 'on', before: ['1.0.0'] })
    expect((await stoa('rollback', 'clock')).code).toBe(0)
    expect(await says()).toBe('1.0.0')
    expect(await stoa('remove', 'clock')).toMatchObject({ code: 0, out: expect.stringContaining('data stays') })
    expect(await says()).toBeNull()
    expect(await listed('clock')).toBeUndefined()
    expect(await stoa('remove', 'votes')).toMatchObject({ code: 1, errors: expect.stringContaining('comes with the site') })
  })

  it('names and deletes the data of what was removed before, and never the kernel’s', async () => {
    const { data } = site.kernel
    const table = {
      name: '0001-hand',
      up: (db: Kysely<unknown>) => db.schema.createTable('sundial__hand').addColumn('n', 'integer').execute(),
    }
    await data.migrate('sundial', [table])
    expect((await stoa('list')).out).toMatch(/data that is still there: sundial/)
    expect(await stoa('remove', 'sundial')).toMatchObject({ code: 1, errors: expect.stringContaining('no plugin named') })
    expect(await stoa('remove', 'sundial', '--data')).toMatchObject({ code: 1, errors: expect.stringContaining('--yes') })
    expect(await data.hasDataOf('sundial')).toBe(true)
    expect(await stoa('remove', 'sundial', '--data', '--yes')).toMatchObject({ code: 0, out: expect.stringContaining('is deleted') })
    expect(await data.hasDataOf('sundial')).toBe(false)
    for (const name of ['kernel', 'nothing', '%'])
      expect(await stoa('remove', name, '--data', '--yes')).toMatchObject({ code: 1, errors: expect.stringContaining('no plugin named') })
    expect(data.site.installed && (await data.credentials.find(1))).toBeTruthy()
  })

  it('makes an admin who can sign in, and switches safe mode', async () => {
    expect(await stoa('create-admin', '--email', 'second')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('"second", which is no'),
    })
    expect(await stoa('create-admin', '--email', 'second@example.org', '--password', 'Second12345')).toMatchObject({ code: 0 })
    const login = { e_mail: 'second@example.org', pass: 'Second12345' }
    const { data } = await site.call('POST', '/answer/api/v1/user/login/email', login)
    expect((await site.call('GET', '/answer/admin/api/plugins', undefined, data.access_token)).status).toBe(200)
    site.add('drum', { activate: `ctx.routes([get('/toy/drum', () => 1)])` })
    expect((await stoa('enable', 'drum')).code).toBe(0)
    expect((await stoa('safe-mode', 'on')).code).toBe(0)
    expect((await site.call('GET', '/toy/drum')).status).toBe(404)
    expect((await stoa('safe-mode', 'off')).code).toBe(0)
    expect((await site.call('GET', '/toy/drum')).status).toBe(200)
  })
})

const checking = (body: string) => `
const { defineCommands } = require('@stoa/sdk/commands')
exports.default = defineCommands({
  commands: {
    wind: { argument: 'turns', help: 'winds the gauge up', run: async ({ argument, say }) => say('wound ' + argument) },
    list: { help: 'is the kernel’s', run: async ({ say }) => say('never') },
  },
  checks: [async ({ db, files }) => { ${body} }],
})`

describe('stoa, with what plugins add', () => {
  it('gives somebody a new password, who is logged out everywhere', async () => {
    const login = (pass: string) => site.call('POST', '/answer/api/v1/user/login/email', { e_mail: 'owner@example.org', pass })
    const old = (await login('Owner12345')).data.access_token
    expect(await stoa('reset-password', 'OWNER@example.org', '--password', 'Fresh12345')).toMatchObject({ code: 0, errors: '' })
    expect((await site.call('GET', '/answer/admin/api/plugins', undefined, old)).status).toBe(401)
    expect([(await login('Owner12345')).status, (await login('Fresh12345')).status]).toEqual([400, 200])
    const made = await stoa('reset-password', 'owner')
    expect((await login(/The password is (\S+)/.exec(made.out)?.[1] as string)).status).toBe(200)
    expect((await login('Fresh12345')).status).toBe(400)
    for (const args of [['nobody'], ['nobody@example.org'], ['owner', '--password', 'short']])
      expect(await stoa('reset-password', ...args)).toMatchObject({ code: 1, out: '', errors: expect.stringMatching(/^[^\n]+\n$/) })
    expect((await stoa('reset-password')).code).toBe(2)
    await stoa('reset-password', 'owner', '--password', 'Owner12345')
  })

  it('runs commands of plugins that are on, and none in place of its own', async () => {
    site.add('gauge')
    site.write('gauge/commands.cjs', checking('return []'))
    expect((await stoa('wind', '3')).code).toBe(2)
    expect((await stoa('enable', 'gauge')).code).toBe(0)
    expect(await stoa('wind', '3')).toMatchObject({ code: 0, out: 'wound 3\n' })
    expect((await stoa('wind')).code).toBe(2)
    expect((await stoa('list')).out).not.toContain('never')
    expect((await stoa('help')).out).toMatch(/wind <turns> +winds the gauge up/)
    expect((await stoa('disable', 'gauge')).code).toBe(0)
    expect((await stoa('wind', '3')).code).toBe(2)
  })
})

describe('stoa doctor', () => {
  type Finding = { about: string; level: string; text: string; advice?: string }
  const findings = async () => {
    const { code, out } = await stoa('doctor', '--json')
    return { code, ...(JSON.parse(out) as { wrong: number; findings: Finding[] }) }
  }
  const about = (all: Finding[], name: string) => all.filter((finding) => finding.about === name)

  it('looks at everything, and ends well when nothing is wrong', async () => {
    const { code, wrong, findings: all } = await findings()
    expect(all.filter(({ level }) => level === 'wrong')).toEqual([])
    expect([code, wrong]).toEqual([0, 0])
    for (const name of ['versions', 'database', 'events and jobs', 'disk space', 'mail', 'plugins', 'accounts', 'uploads'])
      expect(about(all, name), name).not.toEqual([])
    expect((await stoa('doctor')).out).toMatch(/^ok {4}versions: [\s\S]*Nothing is wrong; see the notes\.\n$/)
  })

  it('finds numbers that are not what there is to count, which "stoa recount" sets right', async () => {
    const { database: db } = site.kernel.data
    const ballot = { object_kind: 'tag', object_n: 1, person_id: 1, created_at: 1 }
    const kept = () => sql<{ follow_count: number }>`select follow_count from tags__tag where id = 1`.execute(db.query)
    await db.write((tx) =>
      (tx as unknown as Kysely<{ follows__follow: typeof ballot }>).insertInto('follows__follow').values(ballot).execute(),
    )
    await db.write((tx) => sql`update tags__tag set follow_count = 7, experience_count = 9 where id = 1`.execute(tx))
    const before = await findings()
    expect(before.code).toBe(1)
    expect(about(before.findings, 'numbers').map(({ text }) => text)).toEqual([
      'The number of posts of tags is wrong once: 9 instead of 0 at 1.',
      'The number of followers of tags is wrong once: 7 instead of 1 at 1.',
    ])
    expect(await stoa('recount')).toMatchObject({ code: 0, out: 'posts of tags: 1 set right.\nfollowers of tags: 1 set right.\n' })
    expect((await kept()).rows).toEqual([{ follow_count: 1 }])
    expect(about((await findings()).findings, 'numbers').map(({ level }) => level)).toEqual(['well'])
    expect((await stoa('recount')).out).toBe('Every number is what there is to count.\n')
  })

  it('finds what is kept of a post where that is no longer so, and counts by what it has set right', async () => {
    const { database: db } = site.kernel.data
    const run = (text: string) => db.write((tx) => sql.raw(text).execute(tx))
    const answer = (id: number) =>
      `insert into answers__answer (id, experience, person_id, created_at, parent_listed) values (${id}, 9999, 1, 1, 1)`
    for (const id of [9998, 9999]) await run(answer(id))
    await run('insert into tags__relation (experience_id, tag_id, position, listed) values (9999, 1, 0, 1)')
    await run('update tags__tag set experience_count = 1 where id = 1')
    await run('update accounts__profile set answer_count = 2 where id = 1')
    await run(`insert into comments__comment (id, object_kind, object_n, experience, person_id, created_at, original_text, parsed_text)
      values (9998, 'answer', 9998, 9999, 1, 1, '', ''), (9999, 'experience', 9999, 9999, 1, 1, '', '')`)
    await run('update answers__answer set comment_count = 1 where id = 9998')
    const marks = (await findings()).findings.filter(({ text }) => text.startsWith('The number of marks'))
    expect(marks.map(({ text }) => text).sort()).toEqual([
      expect.stringContaining('marks of answers to listed posts is wrong 2 times: 1 instead of 0 at 9999'),
      expect.stringContaining('marks of comments on listed posts is wrong once: 1 instead of 0 at 9999'),
      expect.stringContaining('marks of tags of listed posts is wrong once: 1 instead of 0 at 9999'),
    ])
    const { code, out } = await stoa('recount')
    expect(code).toBe(0)
    for (const line of ['answers in profiles: 1', 'posts of tags: 1', 'marks of comments on shown answers: 1']) expect(out).toContain(line)
    expect(about((await findings()).findings, 'numbers').map(({ level }) => level)).toEqual(['well'])
    const { rows } = await sql<{ answer_count: number }>`select answer_count from accounts__profile where id = 1`.execute(db.query)
    expect(rows).toEqual([{ answer_count: 0 }])
    for (const text of ['answers__answer where experience', 'tags__relation where experience_id', 'comments__comment where experience'])
      await run(`delete from ${text} = 9999`)
  })

  it('names files that are gone or belong to nothing, plugins and mail servers that do not work, and checks that fail, each with what to do', async () => {
    const { database: db, storage } = site.kernel.data
    const record = { source: 'post', person_id: 1, name: 'one.png', bytes: 3, created_at: 1 }
    for (const path of ['post/gone.png', 'post/there.png', 'post/hidden.png'])
      await db.write((tx) =>
        (tx as unknown as Kysely<{ uploads__file: typeof record & { path: string } }>)
          .insertInto('uploads__file')
          .values({ ...record, path })
          .execute(),
      )
    for (const name of ['there', 'hidden', 'orphan', 'fresh']) await storage.put(`post/${name}.png`, Buffer.from('png'), 'image/png')
    await storage.hide('post/hidden.png', 1)
    const long = new Date(Date.now() - 86_400_000)
    for (const path of ['orphan.png', 'there.png']) utimesSync(join(storage.folder, 'post', path), long, long)
    site.write('gauge/commands.cjs', checking(`throw new Error('no needle')`))
    expect((await stoa('enable', 'gauge')).code).toBe(0)
    site.write('cracked/plugin.json', '{')
    await site.kernel.data.settings.set('smtp', { smtp_host: '127.0.0.1', smtp_port: 1 })
    const { code, findings: all } = await findings()
    expect(code).toBe(1)
    expect(about(all, 'uploads')).toEqual([
      { about: 'uploads', level: 'wrong', text: '1 of 3 uploaded files are gone: post/gone.png', advice: expect.any(String) },
      { about: 'uploads', level: 'notice', text: expect.stringContaining('post/orphan.png'), advice: expect.any(String) },
    ])
    expect(about(all, 'uploads')[1]?.text).toMatch(/^1 files/)
    expect(about(all, 'gauge')).toEqual([expect.objectContaining({ level: 'wrong', text: expect.stringContaining('no needle') })])
    expect(about(all, 'mail')[0]).toMatchObject({ level: 'wrong', text: expect.stringContaining('127.0.0.1:1 does not let the site in') })
    expect(about(all, 'plugins')).toEqual([
      expect.objectContaining({ level: 'wrong', text: expect.stringMatching(/^cracked does not run: ./) }),
    ])
    const printed = await stoa('doctor')
    expect(printed).toMatchObject({ code: 1, errors: '4 things are wrong.\n', out: expect.stringContaining('BAD   uploads: 1 of 3') })
    expect((await stoa('disable', 'gauge')).code).toBe(0)
  })
})

/** A data directory with a copy of the database in which one page is nonsense. */
function damaged(dump: string): string {
  const folder = file('damaged')
  mkdirSync(folder)
  const copy = join(folder, 'stoa.db')
  copyFileSync(dump, copy)
  const open = new SqliteFile(copy)
  const { rootpage } = open.prepare(`select rootpage from sqlite_master where name = 'votes__ballot_voter'`).get() as { rootpage: number }
  const size = open.pragma('page_size', { simple: true }) as number
  open.close()
  const handle = openSync(copy, 'r+')
  writeSync(handle, Buffer.alloc(200, 7), 0, 200, (rootpage - 1) * size)
  closeSync(handle)
  return folder
}

const doctorOf = (folder: string) => runStoa(['doctor'], { STOA_DATA: folder })

const hasTool = () => spawnSync('pg_dump', ['--version']).status === 0

describe('stoa dump', () => {
  it('writes what the site has stored into a new file, and never over one', async () => {
    const dumped = file('site.dump')
    const answer = await stoa('dump', dumped)
    if (database && !hasTool()) return void expect(answer).toMatchObject({ code: 1, errors: expect.stringContaining('pg_dump') })
    expect(answer, answer.errors).toMatchObject({ code: 0, out: expect.stringContaining('the whole database') })
    const text = readFileSync(dumped)
    if (database) expect(text.subarray(0, 5).toString()).toBe('PGDMP')
    else {
      const copy = new SqliteFile(dumped, { readonly: true })
      expect(copy.prepare('select name from kernel__site').get()).toEqual({ name: 'Toys' })
      expect(copy.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }])
      copy.close()
    }
    expect(statSync(dumped).mode & 0o077).toBe(0)
    if (!database)
      expect(await doctorOf(damaged(dumped))).toMatchObject({ code: 1, out: expect.stringMatching(/BAD {3}database: The file is damaged/) })
    expect(await stoa('dump', dumped)).toMatchObject({ code: 1, errors: expect.stringContaining('there already') })
    expect(readFileSync(dumped).equals(text)).toBe(true)
  })
})

describe('stoa upgrade', () => {
  const backups = () => (existsSync(file('backups')) ? readdirSync(file('backups')) : [])

  it('changes nothing, and leaves no copy, where the database fits', async () => {
    const answer = await stoa('upgrade')
    if (database && !hasTool()) expect(answer).toMatchObject({ code: 1, errors: expect.stringContaining('pg_dump') })
    else expect(answer).toMatchObject({ code: 0, out: expect.stringContaining('nothing was changed') })
    expect(backups()).toEqual([])
    expect((await runStoa(['upgrade'], { STOA_DATA: file('elsewhere') })).errors).toMatch(/no site yet/)
  })

  it('says that no site is in an empty database, and leaves nothing behind', async () => {
    const empty = database && (await createDatabase(process.env.STOA_TEST_PG as string))
    const dataDir = file('empty')
    mkdirSync(dataDir)
    if (!empty) writeFileSync(join(dataDir, 'stoa.db'), '')
    try {
      const { code, errors } = await runStoa(['upgrade'], { STOA_DATA: dataDir, ...(empty && { DATABASE_URL: empty.url }) })
      expect([code, errors]).toEqual([1, expect.stringContaining('no site was installed in it yet')])
      expect(existsSync(join(dataDir, 'backups'))).toBe(false)
    } finally {
      await empty?.drop()
    }
  })

  it('saves the database before it brings the tables along, and says how to go back', async () => {
    if (database && !hasTool()) return
    // As it was before the plugin came.
    const older = async (text: string) => {
      if (database) await site.kernel.data.database.separately((tx) => sql.raw(text).execute(tx))
      else {
        const sqlite = new SqliteFile(file('stoa.db'))
        sqlite.exec(text)
        sqlite.close()
      }
    }
    await older("delete from kernel__migration where slug = 'muting'")
    await older('drop table muting__mute')
    const { code, out } = await stoa('upgrade')
    expect([code, out]).toEqual([0, expect.stringMatching(/^ {2}muting\/0001-mutes\nOne step brought .*before-upgrade-/)])
    expect(out).toContain('To go back')
    const [saved = ''] = backups()
    expect(statSync(join(file('backups'), saved)).mode & 0o077).toBe(0)
    expect(await stoa('upgrade')).toMatchObject({ code: 0, out: expect.stringContaining('nothing was changed') })
    if (database) return
    const before = new SqliteFile(join(file('backups'), saved), { readonly: true })
    const after = new SqliteFile(file('stoa.db'), { readonly: true })
    const tables = (of: SqliteFile.Database) => of.prepare("select count(*) as n from sqlite_master where name = 'muting__mute'").get()
    expect([tables(before), tables(after)]).toEqual([{ n: 0 }, { n: 1 }])
    before.close()
    after.close()
  })

  it('changes nothing where nothing can be saved', async () => {
    rmSync(file('backups'), { recursive: true, force: true })
    writeFileSync(file('backups'), 'in the way')
    expect((await stoa('upgrade')).code).toBe(1)
    rmSync(file('backups'))
  })
})

describe('stoa, while the site is down', () => {
  it('decides what counts at the next start', async () => {
    await site.kernel.close()
    isRunning = false
    expect(await stoa('disable', 'votes', '--yes')).toMatchObject({ code: 0, out: expect.stringContaining('next start') })
    expect((await stoa('install', file('clock-2.tgz'))).code).toBe(0)
    expect((await stoa('enable', 'clock')).code).toBe(0)
    expect(await listed('votes')).toMatchObject({ state: 'off' })
    await site.open()
    isRunning = true
    expect(await says()).toBe('2.0.0')
    expect(site.kernel.plugins.list().find((plugin) => plugin.slug === 'votes')?.state).toBe('off')
  })
})
