import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** What the wizard's fields of other plugins add. */
const plugins = { tags: '海、 Sea,海' }

const info = {
  plugins,
  lang: 'zh_CN',
  site_name: '旅人',
  site_url: 'https://travellers.example',
  contact_email: 'hello@example.org',
  name: 'owner',
  display_name: '站长小海',
  password: 'correct horse 7',
  email: 'owner@example.org',
  external_content_display: 'always_display',
  time_zone: 'Asia/Shanghai',
}

describe('the installation', () => {
  let site: Site
  const post = (path: string, body: unknown = {}) => site.visitor().post(`/installation/${path}`, body)
  const database = () => ({ db_type: site.database === 'postgres' ? 'postgres' : 'sqlite3' })
  const wrong = async (changes: object) => {
    const { status, data } = await post('base-info', { ...info, ...changes })
    expect(status).toBe(400)
    return (data as { error_field: string }[]).map(({ error_field }) => error_field)
  }

  beforeAll(async () => {
    site = await startSite({ empty: true })
  })
  afterAll(() => site?.close())

  it('says how far it has come, before any question', async () => {
    const { status, data } = await post('config-file/check')
    expect(status).toBe(200)
    expect(data).toMatchObject({ db_table_exist: false })
  })

  it('offers the languages that are there, each with its texts', async () => {
    const { data } = await site.visitor().get('/installation/language/options')
    expect(data.map(({ value }: { value: string }) => value).sort()).toEqual(['en_US', 'zh_CN'])
    expect((await site.visitor().get('/installation/language/config', { lang: 'zh_CN' })).data.ui).toHaveProperty('install')
    expect((await site.visitor().get('/installation/language/config', { lang: 'xx_XX' })).status).toBe(400)
  })

  it('begins in the language of the browser, unless another was chosen', async () => {
    const language = async (headers: Record<string, string>) =>
      /<html[^>]* lang="([\w-]+)"/.exec(
        await (await fetch(`${site.url}/install`, { headers: { accept: 'text/html', ...headers } })).text(),
      )?.[1]
    expect(await language({ 'accept-language': 'en-GB,en;q=0.9' })).toBe('en-US')
    expect(await language({ 'accept-language': 'zh-CN' })).toBe('zh-CN')
    expect(await language({ 'accept-language': 'xx' })).toBe('zh-CN')
    expect(await language({ 'accept-language': 'zh-CN', cookie: 'stoa_lang=en_US' })).toBe('en-US')
  })

  it('stands there with its first question before any script has run', async () => {
    const reply = await fetch(`${site.url}/install`, { headers: { accept: 'text/html', 'accept-language': 'en' } })
    const main = /<main[^>]*>(.*)<\/main>/s.exec(await reply.text())?.[1] ?? ''
    expect(main).toMatch(/<h1[^>]*>Language and time<\/h1>/)
    expect(main).toMatch(/<select[^>]*name="time_zone"/)
    expect(main).toMatch(/<option value="en_US"[^>]*>English/)
    // What is pressed before there are scripts goes nowhere.
    expect(main.match(/<form[^>]*>/g)).toEqual([expect.stringMatching(/^<form method="dialog"/)])
  })

  it('asks who comes from elsewhere for the code in the log, before anything else', async () => {
    const { code } = site.plugins.setup
    const json = { 'content-type': 'application/json' }
    const strangers: Record<string, string>[] = [
      { 'x-forwarded-for': '203.0.113.7' },
      { forwarded: 'for=203.0.113.7' },
      { 'x-real-ip': '::1' },
      { via: '1.1 proxy' },
    ]
    const from = (headers: Record<string, string>, path: string, body: unknown = {}) =>
      site.visitor().fetch(`/installation/${path}`, { method: 'POST', body: JSON.stringify(body), headers: { ...json, ...headers } })
    const required = async (headers: Record<string, string>) =>
      ((await (await site.visitor().fetch('/installation/code', { headers })).json()) as { data: { required: boolean } }).data.required
    for (const headers of strangers) {
      expect(await required(headers)).toBe(true)
      for (const path of ['db/check', 'init', 'base-info'])
        expect((await from(headers, path, { db_type: 'sqlite3', ...info })).status, path).toBe(403)
    }
    const [proxied] = strangers as [Record<string, string>]
    expect((await from(proxied, 'db/check', { db_type: 'sqlite3' })).status).toBe(403)
    const wrong = await from(proxied, 'code', { code: 'AAAA-AAAA' })
    expect([wrong.status, wrong.headers.get('set-cookie')]).toEqual([400, null])
    const right = await from(proxied, 'code', { code: ` ${code.toLowerCase().replace('-', '')}` })
    const cookie = right.headers.get('set-cookie')?.split(';')[0] as string
    expect(right.headers.get('set-cookie')).toMatch(/HttpOnly/)
    expect(await required({ ...proxied, cookie })).toBe(false)
    expect((await from({ ...proxied, cookie }, 'db/check', { db_type: 'sqlite3' })).status).toBe(200)
    expect(await required({ ...proxied, cookie: 'stoa_setup=AAAA-AAAA' })).toBe(true)
    expect(await required({})).toBe(false)
  })

  it('tries a database before it takes it, and says of the field what is wrong, in the reader’s language', async () => {
    const server = new URL(process.env.STOA_TEST_PG ?? 'postgres://postgres@127.0.0.1:5432/postgres')
    const there = { db_host: server.host, db_username: server.username, db_password: server.password, db_name: 'no such name' }
    const cases = [
      [{ db_host: '127.0.0.1:1' }, 'db_host', 'Nothing answers at this host and port'],
      [{ db_host: new URL(site.url).host }, 'db_host', 'it is not PostgreSQL'],
      ...(site.database === 'postgres' ? [[there, 'db_name', 'no database of this name'] as const] : []),
    ] as const
    for (const [changes, field, words] of cases) {
      const target = { db_type: 'postgres', db_username: 'nobody', db_name: 'nothing', ...changes }
      const headers = { 'content-type': 'application/json', 'accept-language': 'en-US' }
      const reply = await site.visitor().fetch('/installation/db/check', { method: 'POST', body: JSON.stringify(target), headers })
      const { reason, data } = (await reply.json()) as { reason: string; data: { error_field: string; error_msg: string }[] }
      expect([reply.status, reason, data[0]?.error_field]).toEqual([400, 'error.database.connection_failed', field])
      expect(data[0]?.error_msg).toContain(words)
    }
    expect((await post('db/check', { db_type: 'oracle' })).status).toBe(400)
  })

  it('proposes a username that its form takes for a name of any script', async () => {
    const proposed = async (name: string) =>
      (await site.visitor().get<{ username: string }>('/installation/username', { name })).data.username
    expect(await proposed('张小海')).toBe('zhang-xiao-hai')
    expect(await proposed('Ana Müller')).toBe('ana-muller')
    for (const name of ['🦉', '-', 'x', '长'.repeat(100)]) expect(await proposed(name)).toMatch(/^[a-z0-9][a-z0-9._-]{1,29}$/)
  })

  it('creates the tables, once and again without harm', async () => {
    expect((await post('init', database())).status).toBe(200)
    expect((await post('init', database())).status).toBe(200)
  })

  it('names the field that is wrong, and stores nothing', async () => {
    expect(await wrong({ site_name: '' })).toEqual(['site_name'])
    expect(await wrong({ site_url: 'ftp://example.org' })).toEqual(['site_url'])
    expect(await wrong({ contact_email: 'nobody' })).toEqual(['contact_email'])
    expect(await wrong({ display_name: '海'.repeat(31) })).toEqual(['display_name'])
    expect(await wrong({ name: '站长' })).toEqual(['name'])
    for (const password of ['short', 'Password123', 'OWNER@example.org', '站长小海站长小海'])
      expect(await wrong({ password, display_name: '站长小海站长小海' })).toEqual(['password'])
    expect(await wrong({ email: '' })).toEqual(['email'])
    expect(await wrong({ lang: 'xx_XX' })).toEqual(['lang'])
    expect(await wrong({ time_zone: 'Sea/Shore' })).toEqual(['time_zone'])
    expect(await wrong({ plugins: { tags: 'Life, no!way' } })).toEqual(['tags'])
    expect((await post('config-file/check')).data).toMatchObject({ db_table_exist: false })
  })

  it('is finished by one of two who finish it at the same moment', async () => {
    const replies = await Promise.all([post('base-info', info), post('base-info', { ...info, name: 'other', email: 'other@example.org' })])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400])
    expect(replies.find(({ status }) => status === 400)?.reason).toBe('error.install.already_installed')
  })

  it('answers nothing any more, leads home, and its owner logs in', async () => {
    for (const path of ['config-file/check', 'db/check', 'init', 'base-info']) expect((await post(path, info)).status).toBe(404)
    const page = await site.visitor().fetch('/install')
    expect([page.status, page.headers.get('location')]).toEqual([302, '/'])
    const { data } = await site.visitor().get('/answer/api/v1/siteinfo')
    expect(data.interface).toEqual({ language: 'zh_CN', time_zone: 'Asia/Shanghai' })
    const tags = await site.visitor().get<{ list: { slug_name: string }[] }>('/answer/api/v1/tags/page', { page: 1, page_size: 50 })
    expect(tags.data.list.map(({ slug_name }) => slug_name).sort()).toEqual(['sea', '海'])
    const login = (e_mail: string) => site.visitor().post('/answer/api/v1/user/login/email', { e_mail, pass: info.password })
    const replies = await Promise.all([login('owner@example.org'), login('other@example.org')])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400])
    const { data: owner } = replies.find(({ status }) => status === 200) as { data: { username: string; display_name: string } }
    expect([owner.username, owner.display_name]).toEqual([expect.stringMatching(/^(owner|other)$/), '站长小海'])
  })
})
