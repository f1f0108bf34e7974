import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite, testPerson } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { posted } from '../../experiences/testing/index.ts'

const API = '/answer/api/v1'
const ADMIN = '/answer/admin/api'
const PASSWORD = 'correct horse 7'
const DAY = 24 * 3600

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0'
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1'

describe('what belongs to oneself', () => {
  let site: Site
  let admin: TestPerson
  const ids = new Map<string, number>()

  beforeAll(async () => {
    site = await startSite({ plugins: ['experiences', 'tags', 'uploads', 'locale-en-us'] })
    admin = await site.admin()
    await posted(admin)
    // Before the clock moves on, which ends sessions.
    for (const name of ['ana', 'ben', 'cai', 'dan', 'eve', 'fay', 'gil', 'hal', 'ida']) ids.set(name, (await site.member(name)).id)
  })
  afterAll(() => site.close())

  /** Logs in by the call, as a browser does. @returns the session's token and the cookies of the reply */
  async function loggedIn(name: string, { userAgent = firefox, cookie = '' } = {}) {
    const reply = await site.visitor().fetch(`${API}/user/login/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': userAgent, cookie },
      body: JSON.stringify({ e_mail: `${name}@example.org`, pass: PASSWORD }),
    })
    const { data } = (await reply.json()) as { data: { access_token: string } | null }
    const cookies = reply.headers.getSetCookie().map((line) => line.split(';')[0] as string)
    return { status: reply.status, token: data?.access_token ?? '', cookies: cookies.join('; ') }
  }
  const as = (token: string) => ({
    get: async (path: string) => {
      const reply = await site.visitor().fetch(`${API}/${path}`, { headers: { authorization: token, 'user-agent': firefox } })
      return { status: reply.status, data: ((await reply.json()) as { data: never }).data }
    },
  })
  /** Somebody who has just logged in, and so has proven who they are. */
  const comes = async (name: string): Promise<TestPerson> =>
    testPerson(site.url, { id: ids.get(name) ?? 0, name, token: (await loggedIn(name)).token })
  const mailsTo = async (name: string) => (await site.mail()).filter(({ to }) => to === `${name}@example.org`)

  describe('sessions', () => {
    type Row = { id: string; browser: string; os: string; kind: string; network: string; used_at: number; is_current: boolean }
    const list = async (token: string) => (await as(token).get('user/session')).data as Row[]

    it('are listed with device, network and last use, and end one by one or all but this', async () => {
      const [desk, phone] = [await loggedIn('ana'), await loggedIn('ana', { userAgent: safari })]
      const before = await list(desk.token)
      expect(before).toHaveLength(3)
      expect(before.find(({ is_current }) => is_current)).toMatchObject({ browser: 'Firefox', os: 'Windows', kind: 'desktop' })
      const other = before.find(({ browser }) => browser === 'Safari') as Row
      expect(other).toMatchObject({ os: 'iOS', kind: 'mobile', network: '127.0.0.x', is_current: false })

      const stranger = await site.member('ben')
      expect((await stranger.del(`${API}/user/session`, { id: other.id })).status).toBe(200)
      expect((await as(phone.token).get('user/info')).data).not.toBeNull()
      const end = (path: string, body: object) =>
        site.visitor().fetch(`${API}/${path}`, {
          method: 'DELETE',
          headers: { authorization: desk.token, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      expect((await end('user/session', { id: other.id })).status).toBe(200)
      expect((await as(phone.token).get('user/info')).data).toBeNull()
      expect((await end('user/session/others', {})).status).toBe(200)
      expect((await list(desk.token)).map(({ is_current }) => is_current)).toEqual([true])
    })

    it('say when they were used last, written every ten minutes at most', async () => {
      const { token } = await loggedIn('cai')
      const used = async () => (await list(token)).find(({ is_current }) => is_current)?.used_at as number
      const first = await used()
      site.advance(300)
      await list(token)
      expect(await used()).toBe(first)
      site.advance(400)
      await list(token)
      await expect.poll(used).toBeGreaterThanOrEqual(first + 700)
    })

    it('in a browser that is new are told by mail, those in a known one are not', async () => {
      const first = await loggedIn('dan')
      expect(await mailsTo('dan')).toEqual([])
      site.advance(8 * DAY)
      expect((await loggedIn('dan', { userAgent: safari })).status).toBe(200)
      const mails = await mailsTo('dan')
      expect(mails).toHaveLength(1)
      expect(mails[0]).toMatchObject({ subject: '[Test] New login to your account' })
      expect(mails[0]?.text).toContain('Safari, iOS')
      expect(mails[0]?.text).toContain('/users/settings/sessions')
      // The same browser again, while its session lasts.
      await loggedIn('dan', { userAgent: safari })
      expect(await mailsTo('dan')).toHaveLength(1)
      expect(first.cookies).toContain('stoa_browser=')
    })
  })

  describe('an archive of one’s own data', () => {
    it('is asked for with a proof, made in a job, mailed about, and loaded by its person alone', async () => {
      const eve = await comes('eve')
      site.advance(601)
      expect(await eve.post(`${API}/user/archive`)).toMatchObject({ status: 403, reason: 'error.session.confirm' })
      expect((await eve.post(`${API}/user/session/confirm`, { method: 'accounts.password', given: { password: PASSWORD } })).status).toBe(
        200,
      )
      await posted(eve, { content: 'What Eve wrote of the sea.' })
      expect((await eve.post(`${API}/user/archive`)).data).toMatchObject({ state: 'making', url: '' })
      expect((await mailsTo('eve')).at(-1)?.subject).toBe('[Test] Your data is ready')
      const { data } = await eve.get<{ state: string; url: string; bytes: number; expires_at: number }>(`${API}/user/archive`)
      expect(data).toMatchObject({ state: 'ready', bytes: expect.any(Number) })

      const path = new URL(data.url).pathname
      const { cookies } = await loggedIn('eve')
      const load = (cookie: string) => site.visitor().fetch(path, { headers: { cookie } })
      expect((await load('')).status).toBe(404)
      expect((await load((await loggedIn('fay')).cookies)).status).toBe(404)
      const loaded = await load(cookies)
      expect([loaded.status, loaded.headers.get('cache-control')]).toEqual([200, 'no-store'])
      const zip = Buffer.from(await loaded.arrayBuffer())
      expect(zip.length).toBe(data.bytes)
      for (const name of ['about.json', 'accounts/profile.json', 'accounts/sessions.json', 'experiences/posts.json'])
        expect(zip.includes(name), name).toBe(true)

      site.advance(7 * DAY + 3601)
      await expect.poll(async () => (await load((await loggedIn('eve')).cookies)).status).toBe(404)
      expect((await (await comes('eve')).get(`${API}/user/archive`)).data).toMatchObject({ state: 'none', url: '' })
    })
  })

  describe('leaving', () => {
    const leave = (person: TestPerson, remove_all_content: boolean) => person.post(`${API}/user/leave`, { remove_all_content })

    it('wants a proof, ends all sessions, and a login within two weeks takes it back', async () => {
      const gil = await comes('gil')
      site.advance(601)
      expect(await leave(gil, false)).toMatchObject({ status: 403, reason: 'error.session.confirm' })
      const other = await loggedIn('gil')
      expect((await leave(await comes('gil'), false)).status).toBe(200)
      expect((await as(other.token).get('user/info')).data).toBeNull()
      expect((await mailsTo('gil')).at(-1)?.subject).toBe('[Test] Your account will be deleted')
      site.advance(13 * DAY)
      expect((await loggedIn('gil')).status).toBe(200)
      expect((await mailsTo('gil')).map(({ subject }) => subject)).toContain('[Test] Your account is kept')
      site.advance(3 * DAY)
      await site.idle()
      expect((await loggedIn('gil')).status).toBe(200)
    })

    it.each([
      ['keeps', false, 'hal'],
      ['takes along', true, 'ida'],
    ])('for good %s what somebody wrote, under no name of theirs', async (_, removes, name) => {
      const person = await comes(name)
      const id = await posted(person)
      expect((await leave(person, removes)).status).toBe(200)
      expect((await mailsTo(name)).at(-1)?.subject).toBe('[Test] Your account will be deleted')
      site.advance(14 * DAY + 601)
      await expect.poll(async () => (await mailsTo(name)).at(-1)?.subject).toBe('[Test] Your account has been deleted')
      await site.idle()
      expect((await loggedIn(name)).status).toBe(400)
      expect((await site.visitor().get(`${API}/personal/user/info`, { username: name })).status).toBe(404)
      const post = await site.visitor().get(`${API}/experience/info`, { id })
      if (removes) expect(post.status).toBe(404)
      else expect(post.data.user_info).toMatchObject({ status: 'deleted', display_name: expect.stringMatching(/^user\d+$/) })
      const { data } = await (await comes('admin')).get(`${ADMIN}/users/page`, { query: `${name}@example.org` })
      expect(data.count).toBe(0)
    })

    it('is not open to the only admin', async () => {
      const only = await comes('admin')
      expect(await leave(only, false)).toMatchObject({ status: 400, reason: 'error.accounts.last_admin' })
      expect((await only.get(`${API}/user/info`)).data).toMatchObject({ username: 'admin' })
    })
  })
})
