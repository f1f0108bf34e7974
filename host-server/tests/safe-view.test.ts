import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packedToy } from './pack.ts'
import type { ToySite } from './toys.ts'
import { startToySite } from './toys.ts'

const BUILT = resolve(import.meta.dirname, '..', '..', 'build')

let site: ToySite
let admin: string
let member: string
beforeAll(async () => {
  site = await startToySite(
    { drum: { activate: `ctx.routes([get('/toy/drum', () => 1)])` } },
    { pluginDirs: [join(BUILT, 'plugins')], coreDir: join(BUILT, 'core') },
  )
  await site.switch('drum', true)
  const version = site.kernel.plugins.list().find((plugin) => plugin.slug === 'theme-default')?.version as string
  const newer = {
    manifest: { version: '99.0.0', type: 'theme', single: ['theme'] },
    activate: `ctx.routes([get('/toy/theme', () => '${version}')])`,
  }
  await site.kernel.plugins.switch('theme-default', true)
  writeFileSync(join(site.dataDir, 'theme.tgz'), await packedToy('theme-default', newer))
  await site.kernel.lifecycle().install(join(site.dataDir, 'theme.tgz'), true)
  const { credentials } = site.kernel.data
  const { id } = await credentials.create({ login: 'member@example.org', password: 'Member12345' })
  admin = `stoa_session=${(await credentials.openSession(1)).token}`
  member = `stoa_session=${(await credentials.openSession(id)).token}`
})
afterAll(() => site.close())

const get = (path: string, cookie = '', accept = 'text/html,*/*') =>
  fetch(site.kernel.url + path, { headers: { accept, ...(cookie && { cookie }) }, redirect: 'manual' })
const status = async (path: string, cookie = '') => (await get(path, cookie, 'application/json')).status
const slugsOfMap = async (cookie: string) => {
  const { plugins } = (await (await get('/stoa/map', cookie)).json()) as { plugins: [string, string][] }
  return new Map(plugins)
}

describe('/?safe', () => {
  it('begins for an admin who is logged in, and for nobody else', async () => {
    const entered = await get('/tags?safe&page=2', admin)
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/tags?page=2'])
    expect(entered.headers.get('set-cookie')).toMatch(/^stoa_safe=1; Path=\/; HttpOnly; SameSite=Lax/)
    for (const cookie of ['', member]) expect((await get('/?safe', cookie)).headers.get('set-cookie')).toBeNull()
  })

  it('leaves out what was installed, in calls, map and pages; a visitor, a member and the admin elsewhere notice nothing', async () => {
    const safe = `${admin}; stoa_safe=1`
    expect([await status('/toy/drum', safe), await status('/toy/theme', safe)]).toEqual([404, 404])
    for (const cookie of ['', 'stoa_safe=1', `${member}; stoa_safe=1`, admin])
      expect([await status('/toy/drum', cookie), await status('/toy/theme', cookie)], cookie).toEqual([200, 200])
    const [own, others] = [await slugsOfMap(safe), await slugsOfMap('')]
    expect([own.has('drum'), others.has('drum')]).toEqual([false, true])
    expect(own.get('theme-default')).not.toBe(others.get('theme-default'))
    const page = await get('/', safe)
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(await page.text()).toMatch(/<form class="stoa-strip".*name="safe" value="off"/)
    const visitors = await (await get('/')).text()
    expect(visitors).not.toContain('stoa-strip')
    expect((await (await get('/answer/api/v1/siteinfo', safe)).json()) as object).toMatchObject({ code: 200 })
  })

  it('follows switches, and ends', async () => {
    const safe = `${admin}; stoa_safe=1`
    await site.switch('drum', false)
    await site.switch('drum', true)
    expect([await status('/toy/drum', safe), await status('/toy/drum')]).toEqual([404, 200])
    const left = await get('/?safe=off', safe)
    expect([left.status, left.headers.get('location')]).toEqual([303, '/'])
    expect(left.headers.get('set-cookie')).toContain('Max-Age=0')
  })
})
