import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mayRead } from '../server/may-read.ts'

const TOKEN = 'a-token-for-the-scraper'

describe('metrics', () => {
  let site: Site
  let admin: TestPerson
  let ana: TestPerson

  beforeAll(async () => {
    site = await startSite()
    admin = await site.admin()
    ana = await site.member('ana')
  })
  afterAll(() => site.close())

  const scrape = (headers: Record<string, string> = {}) => fetch(`${site.url}/metrics`, { headers })
  const textOf = async () => (await scrape()).text()
  const figure = (text: string, line: RegExp) => Number(new RegExp(`^${line.source} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN)

  it('are off until somebody switches them on, and say nothing about where time went', async () => {
    expect((await scrape()).status).toBe(404)
    expect((await admin.get('/answer/api/v1/siteinfo')).headers.get('server-timing')).toBeNull()
    await site.switch('metrics', true)
    expect((await scrape()).status).toBe(200)
  })

  it('are for this machine, and for whoever has the token', async () => {
    for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'])
      expect((await scrape({ [name]: '127.0.0.1' })).status, name).toBe(404)
    expect((await scrape({ authorization: 'Bearer ' })).status).toBe(200)
    for (const token of [TOKEN, 'x']) expect((await scrape({ authorization: `Bearer ${token}` })).status).toBe(404)
    await site.plugins.saveConfig('metrics', { token: TOKEN })
    const statuses = [TOKEN, 'x', `${TOKEN}x`].map(
      async (token) => (await scrape({ authorization: `Bearer ${token}`, via: 'a proxy' })).status,
    )
    expect(await Promise.all(statuses)).toEqual([200, 404, 404])
    expect(mayRead({ peer: '203.0.113.9', headers: {} }, '')).toBe(false)
    expect(mayRead({ peer: '::ffff:127.0.0.1', headers: {} }, '')).toBe(true)
    expect(mayRead({ peer: '', headers: {} }, '')).toBe(false)
  })

  it('count requests by plugin and pattern, never by what was asked for', async () => {
    const line = /stoa_requests_total\{plugin="accounts",method="GET",route="\/answer\/api\/v1\/personal\/user\/info",status="2xx"\}/
    const before = figure(await textOf(), line) || 0
    for (let times = 0; times < 3; times++) await site.visitor().get('/answer/api/v1/personal/user/info', { username: 'ana' })
    await site.visitor().get('/a-word-of-a-visitor', {})
    await fetch(`${site.url}/users/another-word-of-a-visitor`)
    const text = await textOf()
    expect(figure(text, line) - before).toBe(3)
    expect(text).not.toContain('of-a-visitor')
    const status = /stoa_requests_total\{plugin="notifications",method="GET",route="\/answer\/api\/v1\/notification\/status",status="2xx"\}/
    for (let times = 0; times < 3; times++) await ana.get('/answer/api/v1/notification/status')
    expect(figure(await textOf(), status)).toBe(3)
    expect(text).toMatch(/stoa_requests_total\{plugin="kernel",method="GET",route="(page|file)"/)
  })

  it('tell of reads, statements, queues and plugins', async () => {
    await ana.put('/answer/api/v1/user/info', { display_name: 'Ana Lima', username: 'ana' })
    const text = await textOf()
    expect(figure(text, /stoa_statement_seconds_count\{outcome="done"\}/)).toBeGreaterThan(0)
    for (const name of [
      'stoa_jobs{state="due"}',
      'stoa_events_waiting',
      'stoa_database_bytes',
      'stoa_memory_bytes{kind="resident"}',
      'stoa_plugin_on{plugin="accounts"}',
    ])
      expect(text).toContain(`\n${name} `)
    expect(text).toMatch(/stoa_info\{.*database="(sqlite|postgres) /)
    expect(
      text
        .split('\n')
        .filter((line) => line.startsWith('stoa_'))
        .every((line) => /^stoa_\w+(\{[^}]*\})? [-+.\deE]+(Inf|NaN)?$/.test(line)),
    ).toBe(true)
  })

  it('tell admins, and nobody else, where the time of a call went', async () => {
    const timing = async (person: TestPerson) => (await person.get('/answer/api/v1/siteinfo')).headers.get('server-timing')
    expect(await timing(admin)).toMatch(/^total;dur=[\d.]+, db;dur=[\d.]+, read;dur=[\d.]+$/)
    expect([await timing(ana), await timing(site.visitor())]).toEqual([null, null])
  })

  it('end with the plugin', async () => {
    await site.switch('metrics', false)
    expect((await scrape()).status).toBe(404)
    expect((await admin.get('/answer/api/v1/siteinfo')).headers.get('server-timing')).toBeNull()
  })
})
