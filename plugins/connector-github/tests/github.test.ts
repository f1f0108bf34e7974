import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Account } from './github-double.ts'
import { startGithub } from './github-double.ts'

const API = '/answer/api/v1'
const ADMIN = '/answer/admin/api'
const SLUG = 'connector-github'
const SECRET = 'a secret of the test'

let site: Site
let github: Awaited<ReturnType<typeof startGithub>>
let nextId = 1

/** With a verified primary address and another one before it. */
const account = (login: string, more: Partial<Account> = {}): Account => ({
  id: 1000 + nextId++,
  login,
  name: `Name of ${login}`,
  emails: [
    { email: `${login}@old.example`, primary: false, verified: true, visibility: null },
    { email: `${login}@github.example`, primary: true, verified: true, visibility: 'private' },
  ],
  ...more,
})

function openBrowser() {
  let cookie = ''
  const go = async (path: string) => {
    const response = await fetch(new URL(path, site.url), { redirect: 'manual', headers: { cookie } })
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie
    return response.headers.get('location') ?? ''
  }
  const browser = {
    leave: () => go(`${API}/connector/login/${SLUG}`),
    comeBack: (address: string) => go(new URL(address).pathname + new URL(address).search),
    through: async (who: Account) => browser.comeBack(github.authorize(await browser.leave(), who)),
    async land(path: string) {
      const code = new URL(path, site.url).searchParams.get('access_token')
      const headers = { 'content-type': 'application/json', cookie }
      const response = await fetch(`${site.url}${API}/connector/session`, { method: 'POST', headers, body: JSON.stringify({ code }) })
      return (await response.json()).data
    },
  }
  return browser
}

const save = async (values: object) =>
  (await site.admin()).put(`${ADMIN}/plugin/config`, {
    plugin_slug_name: SLUG,
    config_fields: { label: '', client_id: 'stoa', client_secret: SECRET, base_url: github.url, required_org: '', ...values },
  })
const offered = async () => (await site.visitor().get(`${API}/connector/info`)).data

beforeAll(async () => {
  site = await startSite({ plugins: ['accounts', SLUG, 'admin', 'locale-en-us'], outgoing: ['127.0.0.0/8'] })
  const { data } = await (await site.admin()).get(`${ADMIN}/siteinfo/general`)
  github = await startGithub({ id: 'stoa', secret: SECRET, callback: `${data.site_url}${API}/connector/redirect/${SLUG}` })
})
afterAll(async () => {
  github.close()
  await site.close()
})

describe('a login by GitHub', () => {
  it('is off at first, and not offered before it has keys', async () => {
    expect(await offered()).toEqual([])
    await site.switch(SLUG, true)
    expect(await offered()).toEqual([])
    for (const [values, field] of [
      [{ base_url: 'http://example.org' }, 'base_url'],
      [{ base_url: 'https://example.org/path' }, 'base_url'],
      [{ base_url: '' }, 'base_url'],
      [{ client_secret: '' }, 'client_secret'],
      [{ required_org: '../user' }, 'required_org'],
    ] as const)
      expect(await save(values), JSON.stringify(values)).toMatchObject({ status: 400, data: [{ error_field: field }] })
    expect((await save({})).status).toBe(200)
    expect(await offered()).toMatchObject([{ name: 'GitHub' }])
  })

  it('makes an account of the verified primary address, and finds it again under another login name', async () => {
    const ana = account('ana')
    const browser = openBrowser()
    const session = await browser.land(await browser.through(ana))
    expect(session).toMatchObject({ e_mail: 'ana@github.example', display_name: 'Name of ana' })
    const again = openBrowser()
    expect((await again.land(await again.through({ ...ana, login: 'renamed', emails: [] }))).id).toBe(session.id)
    // Whoever takes the name that is free now is somebody else.
    const thief = openBrowser()
    expect(await thief.through(account('ana'))).toBe('/users/login?refused=taken')
  })

  it('asks for an address where the primary one is not verified, whatever the others are', async () => {
    const emails = [
      { email: 'ben@old.example', primary: false, verified: true, visibility: null },
      { email: 'ben@github.example', primary: true, verified: false, visibility: null },
    ]
    expect(await openBrowser().through(account('ben', { emails }))).toContain('/users/confirm-email?binding_key=')
    expect(await openBrowser().through(account('bea', { emails: [] }))).toContain('/users/confirm-email?binding_key=')
  })

  it('takes no code of another login and none twice, and nobody without membership', async () => {
    const [attacker, victim] = [openBrowser(), openBrowser()]
    const stolen = new URL(github.authorize(await attacker.leave(), account('mallory')))
    const mixed = new URL(github.authorize(await victim.leave(), account('cid')))
    mixed.searchParams.set('code', stolen.searchParams.get('code') ?? '')
    expect(await victim.comeBack(mixed.href)).toBe('/users/login?refused=failed')
    expect(await victim.comeBack(stolen.href)).toBe('/users/login?refused=expired')
    const own = github.authorize(await victim.leave(), account('cid'))
    expect(await victim.comeBack(own)).toContain('/users/auth-landing')
    expect(await victim.comeBack(own)).toBe('/users/login?refused=expired')
    const denied = new URL(await victim.leave()).searchParams.get('state') ?? ''
    const address = `${site.url}${API}/connector/redirect/${SLUG}?${new URLSearchParams({ error: 'access_denied', state: denied })}`
    expect(await victim.comeBack(address)).toBe('/users/login?refused=denied')

    expect((await save({ required_org: 'acme' })).status).toBe(200)
    expect(await openBrowser().through(account('dan'))).toBe('/users/login?refused=failed')
    expect(await openBrowser().through(account('dot', { orgs: { acme: 'pending' } }))).toBe('/users/login?refused=failed')
    expect(await openBrowser().through(account('dee', { orgs: { acme: 'active' } }))).toContain('/users/auth-landing')
    await save({})
  })

  it('says so when GitHub does not answer as it should, and when a code is too old or the secret wrong', async () => {
    for (const how of ['html', 'limit'] as const) {
      github.breakIt(how)
      expect(await openBrowser().through(account('eve')), how).toBe('/users/login?refused=failed')
    }
    github.breakIt('no')
    const browser = openBrowser()
    const late = github.authorize(await browser.leave(), account('eve'))
    github.later(600_001)
    expect(await browser.comeBack(late)).toBe('/users/login?refused=failed')
    await save({ client_secret: 'another' })
    expect(await openBrowser().through(account('eve'))).toBe('/users/login?refused=failed')
    await save({})
    expect(github.transcript.join('\n')).not.toMatch(/gho_|a%20secret|a\+secret|code=/)
  })

  it('ends with the plugin', async () => {
    const browser = openBrowser()
    const at = github.authorize(await browser.leave(), account('fay'))
    await site.switch(SLUG, false)
    expect(await browser.comeBack(at)).toBe('/users/login?refused=unavailable')
    expect(await offered()).toEqual([])
    expect(site.errors).toEqual([])
  })
})
