import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { archiveOf, packedToy } from './pack.ts'
import type { Reply, Toy, ToySite } from './toys.ts'
import { startToySite, toyFiles } from './toys.ts'

const saying = (version: string, manifest: object = {}): Toy => ({
  manifest: { version, ...manifest },
  activate: `ctx.routes([get('/toy/clock', () => ${JSON.stringify(version)})])`,
})
const broken: Toy = { manifest: { version: '9.0.0' }, activate: `throw new Error('no hands')` }
const ADMIN = '/answer/admin/api'
const slug = (name: string) => ({ plugin_slug_name: name })
const SOON = { timeout: 30_000, interval: 200 }

let site: ToySite
let bundled: string
beforeEach(async () => {
  bundled = mkdtempSync(join(tmpdir(), 'stoa-bundled-'))
  for (const [name, content] of Object.entries(toyFiles('clock', saying('1.0.0')))) {
    mkdirSync(join(bundled, 'clock'), { recursive: true })
    writeFileSync(join(bundled, 'clock', name), content)
  }
  site = await startToySite({}, { pluginDirs: [bundled] })
})
afterEach(async () => {
  await site.close()
  rmSync(bundled, { recursive: true })
})

const row = async (name: string) =>
  (await site.admin('GET', `${ADMIN}/plugins`)).data.find((entry: { slug_name: string }) => entry.slug_name === name)
const says = async (path = '/toy/clock') => (await site.call('GET', path)).data
const drop = (name: string, content: Buffer | string) => writeFileSync(join(site.dataDir, 'plugins', name), content)
const kept = (name: string) => {
  const folder = join(site.dataDir, 'plugins/.versions', name)
  return existsSync(folder) ? readdirSync(folder) : []
}
async function upload(content: Buffer, token?: string): Promise<Reply> {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(content)]), 'plugin.tgz')
  const response = await fetch(`${site.kernel.url}${ADMIN}/plugin/install`, {
    method: 'POST',
    headers: { authorization: token ?? (await site.token()) },
    body: form,
  })
  return { status: response.status, ...((await response.json()) as Omit<Reply, 'status'>) }
}

describe('a packed plugin dropped into the running site', () => {
  it('is listed, off, and runs when it is switched on; a newer one takes its place, and is taken back', async () => {
    drop('drum-1.0.0.tgz', await packedToy('drum', { ...saying('1.0.0'), activate: `ctx.routes([get('/toy/drum', () => 1)])` }))
    await expect.poll(() => row('drum'), SOON).toMatchObject({ state: 'off', version: '1.0.0', origin: 'installed' })
    expect((await site.switch('drum', true)).status).toBe(200)
    drop('drum-1.1.0.tgz', await packedToy('drum', { ...saying('1.1.0'), activate: `ctx.routes([get('/toy/drum', () => 2)])` }))
    await expect.poll(() => says('/toy/drum'), SOON).toBe(2)
    expect(await row('drum')).toMatchObject({ version: '1.1.0', rollback_to: '1.0.0' })
    expect((await site.admin('POST', `${ADMIN}/plugin/rollback`, slug('drum'))).status).toBe(200)
    expect(await says('/toy/drum')).toBe(1)
    await site.restart()
    expect(await says('/toy/drum')).toBe(1)
    expect(readdirSync(join(site.dataDir, 'plugins'))).toEqual(['.versions'])
  })

  it('that still has a web entry of sdk 1.0 runs without it, which is said once', async () => {
    const web = { entry: 'entry.js', modules: { 'web/index.ts': { expose: './web/index', js: [], css: [] } }, integrity: {} }
    const files = { ...toyFiles('drum', { ...saying('1.0.0', { build: { server: 'server.cjs', web } }), activate: '' }), 'entry.js': '' }
    drop('drum.tgz', await archiveOf(Object.entries(files).map(([name, content]) => ({ name: `package/${name}`, content }))))
    await expect.poll(() => row('drum'), SOON).toMatchObject({ state: 'off', version: '1.0.0' })
    expect((await site.switch('drum', true)).status).toBe(200)
    expect(site.logged.filter((line) => line.startsWith('warn drum: web/index.ts is not loaded'))).toHaveLength(1)
  })

  it('that does not stand leaves the running one alone and stays visible under its name', async () => {
    drop('broken.tgz', await packedToy('clock', broken))
    await expect.poll(() => row('broken.tgz'), SOON).toMatchObject({ state: 'failed', reason: expect.stringContaining('no hands') })
    expect(await says()).toBe('1.0.0')
    expect(site.logged.join('\n')).toContain('no hands')
    rmSync(join(site.dataDir, 'plugins/broken.tgz'))
    await expect.poll(() => row('broken.tgz'), SOON).toBeUndefined()
    expect(kept('clock')).toEqual([])
  })

  it('of what comes with the site takes over while it is newer', async () => {
    drop('clock.tgz', await packedToy('clock', saying('0.9.0')))
    await expect.poll(() => row('clock.tgz'), SOON).toMatchObject({ reason: expect.stringContaining('1.0.0') })
    drop('clock.tgz', await packedToy('clock', saying('1.2.0')))
    await expect.poll(() => says(), SOON).toBe('1.2.0')
    for (const [name, content] of Object.entries(toyFiles('clock', saying('1.3.0')))) writeFileSync(join(bundled, 'clock', name), content)
    await site.restart()
    expect(await says()).toBe('1.3.0')
  })
})

describe('a folder dropped into the running site', () => {
  it('is taken over when it changes, and refused with a link in it', async () => {
    site.add('drum', { activate: `ctx.routes([get('/toy/drum', () => 1)])` })
    await site.switch('drum', true)
    site.add('drum', { manifest: { version: '1.1.0' }, activate: `ctx.routes([get('/toy/drum', () => 2)])` })
    await expect.poll(() => says('/toy/drum'), SOON).toBe(2)
    symlinkSync('/etc/passwd', join(site.dataDir, 'plugins/drum/words.txt'))
    await expect.poll(async () => (await row('drum')).reason, SOON).toContain('link')
    expect(await says('/toy/drum')).toBe(2)
  })
})

describe('an uploaded package', () => {
  it('is for admins only, replaces what comes with the site even by an older version, and is removed again', async () => {
    const older = await packedToy('clock', saying('0.9.0'))
    const { id } = await site.kernel.data.credentials.create({ login: 'member@example.org', password: 'Member12345' })
    expect((await upload(older, (await site.kernel.data.credentials.openSession(id)).token)).status).toBe(403)
    expect(await upload(older)).toMatchObject({ status: 200, data: { plugin_slug_name: 'clock', version: '0.9.0' } })
    expect(await says()).toBe('0.9.0')
    await site.restart()
    expect(await says()).toBe('0.9.0')
    expect(await row('clock')).toMatchObject({ origin: 'installed', rollback_to: '1.0.0', comes_with_site: true })
    expect((await site.admin('DELETE', `${ADMIN}/plugin`, slug('clock'))).status).toBe(200)
    expect(await says()).toBe('1.0.0')
    expect(kept('clock')).toEqual([])
    expect(await site.admin('DELETE', `${ADMIN}/plugin`, slug('clock'))).toMatchObject({ reason: 'error.plugin.not_installed' })
    expect(await site.admin('POST', `${ADMIN}/plugin/rollback`, slug('clock'))).toMatchObject({ reason: 'error.plugin.nothing_before' })
  })

  it('that is removed leaves its data until that is deleted by its own call', async () => {
    const migration = `{ name: '0001-beats', async up(db) { await db.schema.createTable('drum__beat').addColumn('n', 'integer').execute() } }`
    site.write('drum/migrations.cjs', `module.exports.default = [${migration}]`)
    site.add('drum')
    const tables = async () => {
      const found = await site.kernel.data.database.query.introspection.getTables()
      return found.map((table) => table.name).filter((name) => name.startsWith('drum'))
    }
    await site.switch('drum', true)
    expect(await site.admin('DELETE', `${ADMIN}/plugin/data`, slug('drum'))).toMatchObject({ reason: 'error.plugin.still_on' })
    await site.switch('drum', false)
    expect(await tables()).toEqual(['drum__beat'])
    expect((await site.admin('DELETE', `${ADMIN}/plugin/data`, slug('drum'))).status).toBe(200)
    expect(await tables()).toEqual([])
    await site.switch('drum', true)
    expect(await tables()).toEqual(['drum__beat'])
    expect((await site.admin('DELETE', `${ADMIN}/plugin`, slug('drum'))).status).toBe(200)
    expect(await row('drum')).toBeUndefined()
    expect(await tables()).toEqual(['drum__beat'])
  })

  it('that is none is refused with what is wrong, and nothing of it stays', async () => {
    const good = Object.entries(toyFiles('clock', saying('2.0.0'))).map(([name, content]) => ({ name: `package/${name}`, content }))
    const whole = await archiveOf(good)
    const cases: [string, Buffer, RegExp][] = [
      ['no archive', Buffer.from('hello'), /broken/],
      ['half an archive', whole.subarray(0, whole.length >> 1), /broken/],
      ['nothing', Buffer.alloc(0), /broken|empty/],
      ['an empty archive', await archiveOf([]), /empty/],
      ['a path that leaves', await archiveOf([...good, { name: 'package/../../evil.cjs', content: 'x' }]), /leaves its folder/],
      ['an absolute path', await archiveOf([...good, { name: '/etc/evil', content: 'x' }]), /leaves its folder/],
      ['a path of another system', await archiveOf([...good, { name: 'package/a\\..\\b', content: 'x' }]), /leaves its folder/],
      ['a symbolic link', await archiveOf([...good, { name: 'package/link', type: 'symlink', linkname: '/etc/passwd' }]), /link/],
      ['a hard link', await archiveOf([...good, { name: 'package/link', type: 'link', linkname: 'package/server.cjs' }]), /link/],
      ['a device', await archiveOf([...good, { name: 'package/null', type: 'character-device' }]), /files only/],
      ['the same file twice', await archiveOf([...good, { name: 'package/SERVER.cjs', content: 'x' }]), /twice/],
      [
        'a file where a folder is',
        await archiveOf([...good, { name: 'package/a/b', content: 'x' }, { name: 'package/A', content: 'x' }]),
        /twice/,
      ],
      [
        'a folder where a file is',
        await archiveOf([...good, { name: 'package/server.cjs/x', content: 'x' }]),
        /server\.cjs is there twice/,
      ],
      ['a name too long', await archiveOf([...good, { name: `package/${'语'.repeat(84)}.js`, content: 'x' }]), /not every system/],
      ['a huge file', await archiveOf([...good, { name: 'package/huge', content: '0'.repeat(17 * 1024 * 1024) }]), /a file may have/],
      [
        'too much in all',
        await archiveOf([...good, ...[1, 2, 3, 4, 5].map((n) => ({ name: `package/f${n}`, content: '0'.repeat(15 * 1024 * 1024) }))]),
        /when unpacked/,
      ],
      [
        'too many entries',
        await archiveOf([...good, ...Array.from({ length: 2001 }, (_, n) => ({ name: `package/f${n}`, content: '' }))]),
        /entries/,
      ],
      ['no manifest', await archiveOf([{ name: 'package/readme', content: 'x' }]), /plugin\.json is missing/],
      ['a bad manifest', await packedToy('clock', { manifest: { version: 'new' } }), /"version"/],
      ['another sdk', await packedToy('clock', saying('2.0.0', { sdk: '^99.0.0' })), /99/],
    ]
    for (const [what, content, reason] of cases) {
      const file = join(bundled, 'package.tgz')
      writeFileSync(file, content)
      const refusal = { code: expect.stringMatching(/^error\.package\./), status: 400, message: expect.stringMatching(reason) }
      await expect(site.kernel.lifecycle().install(file, true), what).rejects.toMatchObject(refusal)
    }
    expect(await upload(Buffer.from('hello'))).toMatchObject({ status: 400, reason: 'error.package.broken', data: { err_type: 'alert' } })
    expect(await says()).toBe('1.0.0')
    expect(kept('clock')).toEqual([])
    expect(readdirSync(join(site.dataDir, 'plugins/.versions'))).toEqual(['.bundled'])
  })
})
