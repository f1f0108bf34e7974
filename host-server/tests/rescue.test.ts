import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ToySite } from './toys.ts'
import { startToySite } from './toys.ts'

let site: ToySite
beforeAll(async () => {
  site = await startToySite({
    bells: {
      manifest: { provides: { 'bells.ring': '1.0.0' }, essential: true },
      members: `provides: { bell: service('bells.ring') },`,
      activate: `ctx.routes([get('/toy/bells', () => 1), get('/rescue/bells', () => 'mine')]); return { bell: {} }`,
    },
    visitor: { manifest: { needs: { 'bells.ring': '^1.0.0' } } },
    lazy: { activate: `throw new Error('no <bed>')` },
  })
  await site.switch('bells', true)
  await site.switch('visitor', true)
})
afterAll(() => site.close())

interface Page {
  status: number
  html: string
  headers: Headers
  cookie: string
}
async function visit(path: string, headers: Record<string, string> = {}, form?: Record<string, string>): Promise<Page> {
  const response = await fetch(site.kernel.url + path, {
    headers: { 'accept-language': 'en', ...headers },
    redirect: 'manual',
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  })
  const cookie = (response.headers.get('set-cookie') ?? '').split(';')[0] as string
  return { status: response.status, html: await response.text(), headers: response.headers, cookie }
}
const csrfOf = (html: string) => /name="csrf" value="([^"]*)"/.exec(html)?.[1] ?? ''
const itemOf = (html: string, slug: string) => html.split('<li ').find((part) => part.startsWith(`data-plugin="${slug}"`)) ?? ''
const owner = { login: 'owner@example.org', password: 'Owner12345' }

describe('/rescue', () => {
  it('shows a visitor a form and nothing else, in both languages, and nothing on it can run', async () => {
    const page = await visit('/rescue')
    expect(page.status).toBe(401)
    expect(page.html).not.toContain('bells')
    expect(page.html).not.toContain('<script')
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'/)
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect((await visit('/rescue', { 'accept-language': 'zh-CN,zh;q=0.9' })).html).toContain('<html lang="zh-CN">')
    expect((await visit('/rescue', { cookie: 'stoa_lang=zh_CN' })).html).toContain('救援')
  })

  it('lets nobody in with a wrong password, as a member, or by a made-up cookie', async () => {
    await site.kernel.data.credentials.create({ login: 'member@example.org', password: 'Member12345' })
    for (const form of [
      { ...owner, password: 'wrong' },
      { login: 'member@example.org', password: 'Member12345' },
    ]) {
      const refused = await visit('/rescue/login', {}, form)
      expect([refused.status, refused.cookie]).toEqual([403, ''])
    }
    expect((await visit('/rescue', { cookie: 'stoa_rescue=abc' })).status).toBe(401)
    expect((await visit('/rescue/switch', { cookie: 'stoa_rescue=abc' }, { slug: 'visitor', on: 'false' })).status).toBe(401)
    expect((await site.call('GET', '/toy/bells')).status).toBe(200)
  })

  it('lets an admin in with the password, and asks before it switches what is essential', async () => {
    const entered = await visit('/rescue/login', {}, owner)
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/rescue'])
    expect(entered.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Lax/)
    const { cookie } = entered
    const { html } = await visit('/rescue', { cookie })
    expect(itemOf(html, 'bells')).toMatch(/data-state="on".*Essential.*Switch off/s)
    const form = { slug: 'bells', on: 'false', csrf: csrfOf(html) }
    expect((await visit('/rescue/switch', { cookie }, { ...form, csrf: 'guessed' })).status).toBe(403)
    expect((await visit('/rescue/switch', { cookie, 'sec-fetch-site': 'cross-site' }, form)).status).toBe(403)
    const asked = await visit('/rescue/switch', { cookie }, form)
    expect(asked.html).toMatch(/essential.*Also goes off: visitor/s)
    expect((await site.call('GET', '/toy/bells')).status).toBe(200)
    const agreed = /name="agreed" value="(\d+)"/.exec(asked.html)?.[1] as string
    expect((await visit('/rescue/switch', { cookie }, { ...form, agreed })).status).toBe(303)
    expect((await site.call('GET', '/toy/bells')).status).toBe(404)
    expect((await visit('/rescue/switch', { cookie }, { ...form, on: 'true' })).status).toBe(303)
    expect((await site.call('GET', '/toy/bells')).status).toBe(200)
    await visit('/rescue/logout', { cookie }, { csrf: form.csrf })
    expect((await visit('/rescue', { cookie })).status).toBe(401)
  })

  it("takes an admin's Authorization header, says why something does not start, and goes back to a version", async () => {
    const headers = { authorization: await site.token() }
    const failed = await visit('/rescue/switch', headers, { slug: 'lazy', on: 'true' })
    expect(failed.status).toBe(400)
    expect(itemOf(failed.html, 'lazy')).toMatch(/data-state="failed".*Try again.*no &lt;bed&gt;/s)
    site.add('visitor', { manifest: { version: '1.1.0', needs: { 'bells.ring': '^1.0.0' } } })
    await site.switch('visitor', true)
    await site.kernel.reload('visitor')
    expect(itemOf((await visit('/rescue', headers)).html, 'visitor')).toContain('Back to 1.0.0')
    expect((await visit('/rescue/rollback', headers, { slug: 'visitor' })).status).toBe(303)
    expect(itemOf((await visit('/rescue', headers)).html, 'visitor')).toContain('1.0.0')
  })

  it('takes no password of somebody for whom it is not enough, but the session that they have on the site', async () => {
    const { credentials } = site.kernel.data
    const { id } = (await credentials.findByLogin(owner.login)) ?? { id: 0 }
    await credentials.setNeedsMore(id, true)
    const refused = await visit('/rescue/login', {}, owner)
    expect([refused.status, refused.cookie]).toEqual([403, ''])
    expect(refused.html).toContain('The password alone is not enough')
    expect(refused.html).not.toContain('action="/rescue/session"')
    const member = await credentials.openSession((await credentials.create({ login: 'm2@example.org', password: 'Member12345' })).id)
    for (const token of ['', 'x'.repeat(43), member.token])
      expect((await visit('/rescue/session', { cookie: `stoa_session=${token}` }, {})).status).toBe(401)
    const cookie = `stoa_session=${(await credentials.openSession(id)).token}`
    expect((await visit('/rescue', { cookie })).html).toContain('action="/rescue/session"')
    expect((await visit('/rescue/session', { cookie, 'sec-fetch-site': 'cross-site' }, {})).status).toBe(403)
    const entered = await visit('/rescue/session', { cookie }, {})
    expect(entered.status).toBe(303)
    expect((await visit('/rescue', { cookie: entered.cookie })).status).toBe(200)
    await credentials.setNeedsMore(id, false)
    expect((await visit('/rescue', { cookie: entered.cookie })).status).toBe(401)
    expect((await visit('/rescue/login', {}, owner)).status).toBe(303)
  })

  it('takes no password alone of any admin while a second step is demanded of staff', async () => {
    const release = site.kernel.data.credentials.holdBackStaff(() => true)
    const refused = await visit('/rescue/login', {}, owner)
    expect([refused.status, refused.cookie]).toEqual([403, ''])
    expect(refused.html).toContain('The password alone is not enough')
    await release()
    expect((await visit('/rescue/login', {}, owner)).status).toBe(303)
  })

  it('opens by a link of the command line once', async () => {
    const link = await site.kernel.data.rescue.makeLink()
    const entered = await visit(`/rescue?link=${link}`)
    expect(entered.status).toBe(303)
    expect((await visit('/rescue', { cookie: entered.cookie })).status).toBe(200)
    expect((await visit(`/rescue?link=${link}`)).status).toBe(403)
  })

  it('belongs to no plugin, and switches safe mode for everybody', async () => {
    const headers = { authorization: await site.token() }
    expect((await visit('/rescue/bells', headers)).html).not.toContain('mine')
    expect((await visit('/rescue/safe-mode', headers, { on: 'true' })).status).toBe(303)
    expect((await site.call('GET', '/toy/bells')).status).toBe(404)
    await site.restart()
    expect((await site.call('GET', '/toy/bells')).status).toBe(404)
    const again = { authorization: await site.token() }
    expect((await visit('/rescue', again)).html).toContain('Safe mode is on')
    expect((await visit('/rescue/safe-mode', again, { on: 'false' })).status).toBe(303)
    expect((await site.call('GET', '/toy/bells')).status).toBe(200)
  })
})
