import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TestDatabase } from '../../sdk/testing/database.ts'
import { createDatabase } from '../../sdk/testing/database.ts'
import { packedToy } from './pack.ts'
import type { Toy, ToySite } from './toys.ts'
import { startToySite, toyFiles } from './toys.ts'

const drum = (sound: string, version = '1.0.0'): Toy => ({
  manifest: { version },
  activate: `ctx.routes([get('/toy/drum', () => ${JSON.stringify(sound)})])`,
})

let site: ToySite
let database: TestDatabase | undefined
let bundled: string
let reserved: string[]
beforeEach(async () => {
  if (process.env.STOA_TEST_DATABASE === 'postgres') database = await createDatabase(process.env.STOA_TEST_PG as string)
  bundled = mkdtempSync(join(tmpdir(), 'stoa-bundled-'))
  reserved = ['drum']
  const options = { pluginDirs: [bundled], reservedSlugs: reserved, ...(database && { databaseUrl: database.url }) }
  site = await startToySite({}, options)
})
afterEach(async () => {
  await site.close()
  rmSync(bundled, { recursive: true })
  await database?.drop()
  database = undefined
})

/** An upgrade of the site that comes with this plugin. */
async function upgradeWith(slug: string, toy: Toy): Promise<void> {
  for (const [name, content] of Object.entries(toyFiles(slug, toy))) {
    mkdirSync(join(bundled, slug), { recursive: true })
    writeFileSync(join(bundled, slug, name), content)
  }
  await site.restart()
}
async function install(slug: string, toy: Toy, named = true): Promise<void> {
  const file = join(bundled, 'package.tgz')
  writeFileSync(file, await packedToy(slug, toy))
  await site.kernel.lifecycle().install(file, named)
}
const row = (slug: string) => site.kernel.plugins.list().find((entry) => entry.slug === slug)
const says = async () => (await site.call('GET', '/toy/drum')).data

describe('a slug that the project keeps for itself', () => {
  it('is refused to an archive, and nothing of that stays', async () => {
    await expect(install('drum', drum('stranger'))).rejects.toMatchObject({ code: 'error.package.reserved', status: 400 })
    const left = join(site.dataDir, 'plugins/.versions/drum')
    expect(existsSync(left) ? readdirSync(left) : []).toEqual([])
    expect(row('drum')).toBeUndefined()
  })

  it('is refused to a folder, which the list says and no switch starts', async () => {
    site.add('drum', drum('stranger'))
    await site.restart()
    expect(row('drum')).toMatchObject({ state: 'failed', problem: { code: 'error.package.reserved', params: { slug: 'drum' } } })
    expect((await site.switch('drum', true)).reason).toBe('error.plugin.start_failed')
    expect((await site.call('GET', '/toy/drum')).status).toBe(404)
  })

  it('stays free for what comes with the site and for newer packages of it', async () => {
    await upgradeWith('drum', drum('ours'))
    expect(await says()).toBe('ours')
    await install('drum', drum('ours, newer', '1.1.0'), false)
    expect(await says()).toBe('ours, newer')
    await upgradeWith('drum', drum('ours, newest', '1.2.0'))
    expect(await says()).toBe('ours, newest')
  })
})

describe('an installed plugin whose slug arrives with an upgrade of the site', () => {
  it('goes on running in its versions; the one that arrives is listed as having no name, until the first is removed', async () => {
    await install('horn', drum('theirs'))
    await site.switch('horn', true)
    await upgradeWith('horn', drum('ours', '9.0.0'))
    expect(await says()).toBe('theirs')
    expect(row('horn')).toMatchObject({
      state: 'on',
      version: '1.0.0',
      origin: 'installed',
      comesWithSite: false,
      problem: { code: 'error.package.name_taken', params: { slug: 'horn', version: '9.0.0' } },
    })
    await install('horn', drum('theirs, newer', '1.1.0'))
    expect(await says()).toBe('theirs, newer')
    await site.kernel.lifecycle().rollback('horn')
    expect(await says()).toBe('theirs')
    await site.restart()
    expect(await says()).toBe('theirs')
    await site.switch('horn', false)
    await site.restart()
    expect(row('horn')).toMatchObject({ state: 'off', version: '1.0.0', problem: { code: 'error.package.name_taken' } })
    await site.kernel.lifecycle().remove('horn', undefined, false)
    expect(row('horn')).toMatchObject({ state: 'off', version: '9.0.0', origin: 'bundled', reason: '' })
    await site.switch('horn', true)
    expect(await says()).toBe('ours')
  })

  it('goes on, with later versions, when the slug is only kept from now on', async () => {
    site.add('horn', drum('theirs'))
    await site.restart()
    await site.switch('horn', true)
    reserved.push('horn')
    await site.restart()
    expect(await says()).toBe('theirs')
    site.add('horn', drum('theirs, newer', '1.1.0'))
    await site.kernel.reload('horn')
    expect(await says()).toBe('theirs, newer')
  })

  it('is not followed by the one that came when somebody takes its folder away', async () => {
    site.add('horn', drum('theirs'))
    await site.restart()
    await site.switch('horn', true)
    rmSync(join(site.dataDir, 'plugins/horn'), { recursive: true })
    await upgradeWith('horn', drum('ours', '9.0.0'))
    expect((await site.call('GET', '/toy/drum')).status).toBe(404)
    expect(row('horn')).toMatchObject({ state: 'failed', problem: { code: 'error.package.name_taken' } })
  })
})
