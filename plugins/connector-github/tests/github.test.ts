import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { GitHubPerson } from '../../../tests/vendors/github.ts'
import { startGitHub } from '../../../tests/vendors/github.ts'
import { json } from '../../../tests/vendors/vendor.ts'
import { openBrowser } from '../../accounts/testing/index.ts'

const API = '/answer/api/v1'
const ADMIN = '/answer/admin/api'
const SLUG = 'connector-github'
const SECRET = 'a secret of the test'

let site: Site
let github: Awaited<ReturnType<typeof startGitHub>>
let nextId = 1

/** With a verified primary address and another one before it. */
const account = (login: string, more: Partial<GitHubPerson> = {}): GitHubPerson => ({
  id: 1000 + nextId++,
  login,
  name: `Name of ${login}`,
  emails: [
    { email: `${login}@old.example`, primary: false, verified: true },
    { email: `${login}@github.example`, primary: true, verified: true },
  ],
  ...more,
})

const browse = () => openBrowser(site)
/** Somebody presses "Authorize". @returns the address they are sent back by */
async function authorize(browser: ReturnType<typeof browse>, who: GitHubPerson): Promise<string> {
  github.people.set(who.login, who)
  github.door.login = who.login
  return browser.visit(await browser.leave(SLUG))
}
const through = async (who: GitHubPerson, browser = browse()) => browser.comeBack(await authorize(browser, who))

const save = async (values: object, more: object = {}) =>
  (await site.admin()).put(`${ADMIN}/plugin/config`, {
    plugin_slug_name: SLUG,
    config_fields: { label: '', client_id: 'stoa', client_secret: SECRET, base_url: github.urls.web, required_org: '', ...values },
    ...more,
  })
const offered = async () => (await site.visitor().get(`${API}/connector/info`)).data

beforeAll(async () => {
  site = await startSite({ plugins: ['accounts', SLUG, 'admin', 'locale-en-us'], outgoing: ['127.0.0.0/8'] })
  const { data } = await (await site.admin()).get(`${ADMIN}/siteinfo/general`)
  const callback = `${data.site_url}${API}/connector/redirect/${SLUG}`
  github = await startGitHub({ clientId: 'stoa', clientSecret: SECRET, callback, people: [] })
})
afterAll(async () => {
  await github.close()
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
    const browser = browse()
    const session = await browser.land(await through(ana, browser))
    expect(session).toMatchObject({ e_mail: 'ana@github.example', display_name: 'Name of ana' })
    const again = browse()
    expect((await again.land(await through({ ...ana, login: 'renamed', emails: [] }, again))).id).toBe(session.id)
    // Whoever takes the name that is free now is somebody else.
    expect(await through(account('ana'))).toBe('/users/login?refused=taken')
  })

  it('asks for an address where the primary one is not verified, whatever the others are', async () => {
    const emails = [
      { email: 'ben@old.example', primary: false, verified: true },
      { email: 'ben@github.example', primary: true, verified: false },
    ]
    expect(await through(account('ben', { emails }))).toContain('/users/confirm-email?binding_key=')
    expect(await through(account('bea', { emails: [] }))).toContain('/users/confirm-email?binding_key=')
  })

  it('takes no code of another login and none twice, and nobody without membership', async () => {
    const [attacker, victim] = [browse(), browse()]
    const stolen = new URL(await authorize(attacker, account('mallory')))
    const mixed = new URL(await authorize(victim, account('cid')))
    mixed.searchParams.set('code', stolen.searchParams.get('code') ?? '')
    expect(await victim.comeBack(mixed.href)).toBe('/users/login?refused=failed')
    expect(await victim.comeBack(stolen.href)).toBe('/users/login?refused=expired')
    const own = await authorize(victim, account('cid'))
    expect(await victim.comeBack(own)).toContain('/users/auth-landing')
    expect(await victim.comeBack(own)).toBe('/users/login?refused=expired')
    const denied = new URL(await victim.leave(SLUG)).searchParams.get('state') ?? ''
    const address = `${site.url}${API}/connector/redirect/${SLUG}?${new URLSearchParams({ error: 'access_denied', state: denied })}`
    expect(await victim.comeBack(address)).toBe('/users/login?refused=denied')

    expect((await save({ required_org: 'acme' })).status).toBe(200)
    expect(await through(account('dan'))).toBe('/users/login?refused=failed')
    expect(await through(account('dot', { organizations: { acme: 'pending' } }))).toBe('/users/login?refused=failed')
    expect(await through(account('dee', { organizations: { acme: 'active' } }))).toContain('/users/auth-landing')
    await save({})
  })

  it('says so when GitHub does not answer as it should, and when a code is too old or the secret wrong', async () => {
    const limited = json(403, { message: 'API rate limit exceeded' }, { 'x-ratelimit-remaining': '0' })
    for (const [how, path] of [
      ['html', '/login/oauth/access_token'],
      ['html', '/api/v3/'],
      [limited, '/api/v3/'],
    ] as const) {
      github.fail(how, { path })
      expect(await through(account('eve')), path).toBe('/users/login?refused=failed')
      github.recover()
    }
    const browser = browse()
    const late = await authorize(browser, account('eve'))
    github.advance(601)
    expect(await browser.comeBack(late)).toBe('/users/login?refused=failed')
    expect(await save({ client_secret: 'another' })).toMatchObject({ status: 400, data: [{ error_field: 'client_secret' }] })
    github.fail('html')
    expect(await save({})).toMatchObject({ status: 400, data: [{ error_field: 'base_url' }] })
    github.recover()
    expect((await save({ client_secret: 'another' }, { insist: true })).status).toBe(200)
    expect(await through(account('eve'))).toBe('/users/login?refused=failed')
    await save({})
    const addresses = github.transcript.filter(({ path }) => path !== '/login/oauth/authorize').map(({ path, query }) => `${path}?${query}`)
    expect(addresses.join('\n')).not.toMatch(/gho_|a%20secret|a\+secret|code=/)
  })

  it('ends with the plugin', async () => {
    const browser = browse()
    const at = await authorize(browser, account('fay'))
    await site.switch(SLUG, false)
    expect(await browser.comeBack(at)).toBe('/users/login?refused=unavailable')
    expect(await offered()).toEqual([])
    expect(site.errors).toEqual([])
  })
})
