import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite, testPerson } from '@stoa/sdk/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const API = '/answer/api/v1'
const ADMIN = '/answer/admin/api'
const OLD = 'Correct horse 7'
/** What races is tried so often. */
const ROUNDS = [1, 2, 3]

interface People {
  count: number
  list: { user_id: string; username: string; status: string; role_id: number }[]
}

describe('an account that is changed while somebody', () => {
  let site: Site
  let admin: TestPerson
  beforeEach(async () => {
    site = await startSite({ plugins: ['accounts', 'locale-en-us'] })
    admin = await site.admin()
  })
  afterEach(() => site.close())

  const addressOf = (name: string) => `${name}@example.org`
  const found = async (query: string) => (await admin.get<People>(`${ADMIN}/users/page`, { query })).data
  async function added(name: string): Promise<string> {
    expect((await admin.post(`${ADMIN}/users`, { users: `${name}, ${addressOf(name)}, ${OLD}` })).status).toBe(200)
    return String((await found(addressOf(name))).list[0]?.user_id)
  }
  const logIn = (name: string, pass = OLD) =>
    site.visitor().post<{ access_token: string }>(`${API}/user/login/email`, { e_mail: addressOf(name), pass })
  async function isOpen(authorization: string): Promise<boolean> {
    const reply = await site.visitor().fetch(`${API}/user/info`, { headers: { authorization } })
    return ((await reply.json()) as { data: unknown }).data !== null
  }
  async function openOnes(logins: Awaited<ReturnType<typeof logIn>>[]): Promise<number> {
    const tokens = logins.filter(({ status }) => status === 200).map(({ data }) => data.access_token)
    return (await Promise.all(tokens.map(isOpen))).filter(Boolean).length
  }
  const decide = (asks: TestPerson, user_id: string, status: string) => asks.put(`${ADMIN}/user/status`, { user_id, status })
  const leave = (person: TestPerson) => person.post(`${API}/user/leave`, { remove_all_content: false })

  it('logs in with the password from before: no such session is left', async () => {
    const user_id = await added('ana')
    let present = OLD
    for (const round of ROUNDS) {
      const next = `Another horse ${round}`
      const logins = Array.from({ length: 5 }, () => logIn('ana', present))
      const [changed, ...replies] = await Promise.all([admin.put(`${ADMIN}/user/password`, { user_id, password: next }), ...logins])
      expect(changed.status).toBe(200)
      expect(await openOnes(replies)).toBe(0)
      for (const { status, reason } of replies) if (status !== 200) expect(reason).toMatch(/email_or_password_incorrect|changed_meanwhile/)
      present = next
    }
    expect((await logIn('ana', present)).status).toBe(200)
    expect(site.errors).toEqual([])
  })

  it('changes it twice at once: the second has to give the password that the first has set', async () => {
    await added('bea')
    for (const round of ROUNDS) {
      const old_pass = round === 1 ? OLD : `One of two ${round - 1}`
      const { access_token: authorization } = (await logIn('bea', old_pass)).data
      const change = async (pass: string) => {
        const body = JSON.stringify({ old_pass, pass })
        const headers = { authorization, 'content-type': 'application/json' }
        return (await site.visitor().fetch(`${API}/user/password`, { method: 'PUT', headers, body })).status
      }
      const statuses = await Promise.all([change(`One of two ${round}`), change(`One of two ${round}`)])
      expect(statuses.toSorted()).toEqual([200, 400])
    }
  })

  it('logs in while it is deleted: nothing of it comes back', async () => {
    for (const round of ROUNDS) {
      const name = `cid${round}`
      const user_id = await added(name)
      const logins = Array.from({ length: 4 }, () => logIn(name))
      const [deleted, ...replies] = await Promise.all([decide(admin, user_id, 'deleted'), ...logins])
      expect(deleted.status).toBe(200)
      expect(await openOnes(replies)).toBe(0)
      expect((await found(addressOf(name))).count).toBe(0)
      expect((await site.visitor().get(`${API}/personal/user/info`, { username: name })).status).toBe(404)
      await added(name)
    }
    expect(site.errors).toEqual([])
  })

  it('decides something else about it: deleted stays deleted, and each is told', async () => {
    for (const round of ROUNDS) {
      const name = `dot${round}`
      const user_id = await added(name)
      const statuses = ['deleted', 'suspended', 'deleted', 'normal', 'inactive', 'deleted']
      const replies = await Promise.all(statuses.map((status) => decide(admin, user_id, status)))
      const deleted = replies.filter((_, n) => statuses[n] === 'deleted')
      expect(deleted.filter(({ status }) => status === 200)).toHaveLength(1)
      for (const { status, reason } of replies) if (status !== 200) expect(reason).toBe('error.user.not_found')
      expect((await found(addressOf(name))).count).toBe(0)
      expect((await found(`user:${user_id}`)).count).toBe(0)
    }
    expect(site.errors).toEqual([])
  })

  /** Two admins who have just logged in; the first admin of the site leaves it to them. */
  async function twoAdmins(): Promise<[TestPerson, TestPerson]> {
    const ids = [await added('eve'), await added('fay')]
    for (const user_id of ids) expect((await admin.put(`${ADMIN}/user/role`, { user_id, role_id: 2 })).status).toBe(200)
    const come = async (name: string, id = '') =>
      testPerson(site.url, { id: Number(id), name, token: (await logIn(name)).data.access_token })
    const both = [await come('eve', ids[0]), await come('fay', ids[1])] as const
    expect((await both[0].put(`${ADMIN}/user/role`, { user_id: String(admin.id), role_id: 1 })).status).toBe(200)
    return [...both]
  }

  it.each([
    ['role', { role_id: 1 }],
    ['status', { status: 'suspended' }],
  ])('takes the %s of the one who takes theirs: one admin is left', async (what, values) => {
    const [eve, fay] = await twoAdmins()
    const take = (asks: TestPerson, from: TestPerson) => asks.put(`${ADMIN}/user/${what}`, { user_id: String(from.id), ...values })
    const statuses = (await Promise.all([take(eve, fay), take(fay, eve)])).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    // Their session may have ended before they ask.
    expect(statuses.filter((status) => status === 401 || status === 403)).toHaveLength(1)
    const winner = statuses[0] === 200 ? eve : fay
    const again = testPerson(site.url, { ...winner, token: (await logIn(winner.name)).data.access_token })
    expect((await again.get(`${ADMIN}/users/page`)).status).toBe(200)
  })

  it('leaves when the only other admin does: one of them stays', async () => {
    const replies = await Promise.all((await twoAdmins()).map(leave))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400])
    expect(replies.find(({ status }) => status === 400)?.reason).toBe('error.accounts.last_admin')
  })
})
