import { roles } from '@stoa/sdk'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TestDatabase } from '../../sdk/testing/database.ts'
import { createDatabase } from '../../sdk/testing/database.ts'
import type { ToySite } from './toys.ts'
import { startToySite } from './toys.ts'

let site: ToySite
let database: TestDatabase | undefined
const details: string[] = []
beforeEach(async () => {
  database = process.env.STOA_TEST_DATABASE === 'postgres' ? await createDatabase(process.env.STOA_TEST_PG as string) : undefined
  details.length = 0
  site = await startToySite(
    {},
    {
      rateLimits: true,
      trustProxy: ['127.0.0.1'],
      log: (_, __, message, more) => void details.push(`${message} ${JSON.stringify(more ?? {})}`),
      ...(database && { databaseUrl: database.url }),
    },
  )
})
afterEach(async () => {
  await site.close()
  await database?.drop()
})

const owner = { login: 'owner@example.org', password: 'Owner12345' }
const visit = async (path: string, { method = 'GET', from = '203.0.113.9', cookie = '', form = {} as Record<string, string> } = {}) => {
  const response = await fetch(site.kernel.url + path, {
    method,
    headers: { 'x-forwarded-for': from, ...(cookie && { cookie }) },
    redirect: 'manual',
    ...(method === 'POST' && { body: new URLSearchParams(form) }),
  })
  const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0] as string)
  return { status: response.status, text: await response.text(), cookies }
}
const signIn = (form: Record<string, string>, from?: string, cookie?: string) =>
  visit('/rescue/login', { method: 'POST', form, ...(from && { from }), ...(cookie && { cookie }) })
const wrong = { ...owner, password: 'wrong' }

describe('signing in on the rescue page', () => {
  it('counts one account however it is spelt, and by the address that the proxy names', async () => {
    const spellings = ['owner@example.org', ' OWNER@example.org', 'owner@Example.org  ', '\u00a0owner@example.org']
    for (let n = 0; n < 10; n++) expect((await signIn({ ...wrong, login: spellings[n % 4] as string })).status).toBe(403)
    for (const login of spellings) expect((await signIn({ ...owner, login })).status).toBe(429)
    expect((await signIn(owner, '203.0.113.10')).status).toBe(303)
  })

  it('counts an IPv6 network as one', async () => {
    for (let n = 0; n < 10; n++) expect((await signIn(wrong, `2001:db8:0:1::${n + 1}`)).status).toBe(403)
    expect((await signIn(owner, '2001:db8:0:1:ffff::1')).status).toBe(429)
    expect((await signIn(owner, '2001:db8:0:2::1')).status).toBe(303)
  })

  it('is limited over all addresses of a network', async () => {
    for (let n = 0; n < 100; n++) expect((await signIn({ login: `no${n}@example.org`, password: 'x' })).status).toBe(403)
    expect((await signIn(owner)).status).toBe(429)
  }, 120_000)

  it('is not kept from a browser in which the owner signed in before, whatever strangers try', async () => {
    const first = await signIn(owner)
    const browser = first.cookies.find((cookie) => cookie.startsWith('stoa_browser=')) as string
    for (let n = 0; n < 100; n++) expect((await signIn(wrong, `203.0.113.${n}`)).status).toBe(403)
    expect((await signIn(owner, '198.51.100.7')).status).toBe(429)
    for (const forged of [browser.replace(/.$/, (end) => (end === 'A' ? 'B' : 'A')), browser.replace('=1.', '=2.'), 'stoa_browser=1.a.b'])
      expect((await signIn(owner, '198.51.100.7', forged)).status, forged).toBe(429)
    expect((await signIn(owner, '198.51.100.7', browser)).status).toBe(303)
    await site.kernel.data.credentials.setPassword(1, 'Changed12345')
    expect((await signIn({ ...owner, password: 'Changed12345' }, '198.51.100.7', browser)).status).toBe(429)
  }, 120_000)

  it('neither stores nor logs what is no address', async () => {
    for (const login of ['a\0b@example.org', 'x'.repeat(3000), 'x'.repeat(15_000), '', '   ', 'a\nb@example.org'])
      expect((await signIn({ login, password: 'secret word' })).status).toBe(403)
    const logged = details.join('\n')
    expect(logged).toContain('was refused')
    for (const part of ['\\u0000', 'xxxx', 'secret word', '\\nb']) expect(logged).not.toContain(part)
  })

  it('ends with any change of its person', async () => {
    const { credentials } = site.kernel.data
    const changes: [string, (id: number) => Promise<unknown>][] = [
      ['password', (id) => credentials.setPassword(id, 'Changed12345')],
      ['role', (id) => credentials.setRole(id, roles.moderator)],
      ['state', (id) => credentials.setState(id, 'suspended')],
      ['address', (id) => credentials.setLogin(id, 'elsewhere@example.org')],
    ]
    for (const [name, change] of changes) {
      const admin = { login: `${name}@example.org`, password: 'Admin12345' }
      const { id } = await credentials.create({ ...admin, role: roles.admin })
      const { cookies } = await signIn(admin)
      const cookie = cookies.find((entry) => entry.startsWith('stoa_rescue=')) as string
      expect((await visit('/rescue', { cookie })).status, name).toBe(200)
      await change(id)
      expect((await visit('/rescue', { cookie })).status, name).toBe(401)
    }
  })

  it('by a link is not used up by a look at it', async () => {
    const link = `/rescue?link=${await site.kernel.data.rescue.makeLink()}`
    expect((await visit(link, { method: 'HEAD' })).cookies).toEqual([])
    const { status, cookies } = await visit(link)
    expect([status, (await visit('/rescue', { cookie: cookies[0] as string })).status]).toEqual([303, 200])
  })
})
