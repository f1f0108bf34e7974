import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

const CLOSURE = '/answer/admin/api/siteinfo/maintenance'
const post = (title: string) => ({ title, content: 'Long enough to be a post.', tags: [{ slug_name: 'tea', display_name: 'tea' }] })
/** What the site gives to whom, by kind of address. */
const READABLE = ['/', '/tags', '/answer/api/v1/experience/page', '/feed.atom', '/sitemap.xml', '/answer/api/v1/tags/page']

describe('maintenance', () => {
  let site: Site
  let admin: Awaited<ReturnType<Site['admin']>>
  let member: Awaited<ReturnType<Site['member']>>
  let id: string

  const close = async (degree: string, about: object = {}) => {
    expect(await (await site.admin()).put(CLOSURE, { degree, ...about })).toMatchObject({ status: 200 })
  }
  const page = (path: string, headers: Record<string, string> = {}) =>
    fetch(site.url + path, { redirect: 'manual', headers: { accept: 'text/html', ...headers } })

  beforeAll(async () => {
    site = await startSite()
    admin = await site.admin()
    member = await site.member()
    id = (await admin.post('/answer/api/v1/experience', post('Before it was closed'))).data.id
  })
  afterEach(() => close('open', { message: '', until: 0 }))
  afterAll(() => site.close())

  it('is for admins to set, within bounds', async () => {
    for (const person of [site.visitor(), member, await site.moderator()]) {
      expect([401, 403]).toContain((await person.get(CLOSURE)).status)
      expect([401, 403]).toContain((await person.put(CLOSURE, { degree: 'nobody' })).status)
    }
    for (const body of [{}, { degree: 'sometimes' }, { degree: 'reading', message: 'x'.repeat(501) }, { degree: 'reading', until: -1 }])
      expect(await admin.put(CLOSURE, body)).toMatchObject({ status: 400 })
    expect((await admin.get(CLOSURE)).data).toEqual({ degree: 'open', message: '', until: 0 })
  })

  it('of the first degree lets everybody read, and nobody but staff write', async () => {
    await close('reading', { message: 'New disks until noon.' })
    for (const path of READABLE) expect([path, (await page(path)).status]).toEqual([path, 200])
    const refused = await member.post('/answer/api/v1/experience', post('While it can only be read'))
    expect(refused).toMatchObject({ status: 403, reason: 'base.read_only' })
    expect(refused.msg).toContain('New disks until noon.')
    expect(await member.post('/answer/api/v1/vote/up', { object_id: id })).toMatchObject({ status: 403, reason: 'base.read_only' })
    expect(await site.visitor().post('/answer/api/v1/user/register/email', {})).toMatchObject({ reason: 'base.read_only' })
    expect(await (await site.moderator()).post('/answer/api/v1/experience', post('Staff go on writing'))).toMatchObject({ status: 200 })
    expect(await (await page('/')).text()).toContain('New disks until noon.')
    await close('open')
    expect(await member.post('/answer/api/v1/experience', post('When it is open again'))).toMatchObject({ status: 200 })
  })

  it('of the second degree gives nobody but staff more than a message', async () => {
    await close('nobody', { message: 'Back <soon>.', until: 1_900_000_000 })
    for (const path of [...READABLE, `/experiences/${id}`, `/experiences/${id}.md`, '/users/settings/profile', '/nothing/here']) {
      const reply = await page(path)
      expect([path, reply.status]).toEqual([path, 503])
      expect(reply.headers.get('retry-after')).toBe('300')
      expect(await reply.text()).not.toContain('Before it was closed')
    }
    const shown = await (await page('/')).text()
    expect(shown).toContain('Back &lt;soon&gt;.')
    expect(shown).toContain('2030')
    expect(shown).not.toContain('<script')
    expect(await member.get('/answer/api/v1/experience/page')).toMatchObject({ status: 503, reason: 'base.closed' })
    expect(await member.post('/answer/api/v1/experience', post('Closed'))).toMatchObject({ status: 503 })
    expect(await (await site.moderator()).get('/answer/api/v1/experience/page')).toMatchObject({ status: 200 })
    expect(await admin.post('/answer/api/v1/experience', post('Behind closed doors'))).toMatchObject({ status: 200 })
    expect(site.errors).toEqual([])
  })

  it('leaves the way in open, the state of the site, and what machines must not forget', async () => {
    await close('nobody')
    expect((await page('/users/login')).status).toBe(200)
    for (const path of ['/healthz', '/robots.txt']) expect((await page(path)).status).toBe(200)
    expect((await page('/rescue')).status).toBe(401)
    const login = await site.visitor().post('/answer/api/v1/user/login/email', { e_mail: 'admin@example.org', pass: 'correct horse 7' })
    expect(login.status).toBe(200)
    const asAdmin = await page('/', {
      cookie: login.headers
        .getSetCookie()
        .map((cookie) => cookie.split(';')[0])
        .join('; '),
    })
    expect(asAdmin.status).toBe(200)
    expect(asAdmin.headers.get('cache-control')).toBe('no-store')
  })

  it('stays through a restart, and keeps no page from before', async () => {
    expect((await page('/')).status).toBe(200)
    await close('nobody')
    expect((await page('/')).status).toBe(503)
    await site.restart()
    expect((await page('/')).status).toBe(503)
    await close('open')
    expect((await page('/')).status).toBe(200)
  })
})
