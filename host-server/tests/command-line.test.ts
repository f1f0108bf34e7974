import { spawnSync } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import SqliteFile from 'better-sqlite3'
import type { Kysely } from 'kysely'
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

describe('stoa, beside a site that runs', () => {
  it('says what it does not understand, and refuses with one sentence', async () => {
    expect((await stoa('help')).out).toContain('rescue-link')
    for (const args of [['dance'], ['enable'], ['enable', 'a', 'b'], ['list', '--loud']])
      expect((await stoa(...args)).code, args.join(' ')).toBe(2)
    const unknown = await stoa('enable', 'nobody')
    expect(unknown).toMatchObject({ code: 1, out: '', errors: expect.stringMatching(/^There is no plugin named "nobody"[^\n]*\n$/) })
    writeFileSync(file('no.tgz'), 'hello')
    expect(await stoa('install', file('no.tgz'))).toMatchObject({ code: 1, errors: expect.stringContaining('was refused') })
    writeFileSync(file('webhook.tgz'), await packedToy('webhook'))
    expect(await stoa('install', file('webhook.tgz'))).toMatchObject({ code: 1, errors: expect.stringContaining('kept for a plugin') })
    expect(await listed('webhook')).toBeUndefined()
  })

  it('names what goes along, and switches when that is agreed to; the site follows before the command ends', async () => {
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

  it('keeps the last language on, as the admin page does', async () => {
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

describe('stoa dump', () => {
  it('writes what the site has stored into a new file, and never over one', async () => {
    const dumped = file('site.dump')
    const hasTool = spawnSync('pg_dump', ['--version']).status === 0
    const answer = await stoa('dump', dumped)
    if (database && !hasTool) return void expect(answer).toMatchObject({ code: 1, errors: expect.stringContaining('pg_dump') })
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
    expect(await stoa('dump', dumped)).toMatchObject({ code: 1, errors: expect.stringContaining('there already') })
    expect(readFileSync(dumped).equals(text)).toBe(true)
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
