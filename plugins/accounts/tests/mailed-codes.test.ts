import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import SqliteFile from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const API = '/answer/api/v1'
const ADMIN = '/answer/admin/api'
const PASSWORD = 'correct horse 7'
const refused = { status: 403, reason: 'error.email.verify_url_expired', data: { type: 'url_expired' } }

describe('a mailed code', () => {
  let site: Site
  let admin: TestPerson
  let ana: TestPerson
  beforeEach(async () => {
    site = await startSite({ plugins: ['accounts', 'locale-en-us'] })
    admin = await site.admin()
    ana = await site.member('ana')
  })
  afterEach(() => site.close())

  const newest = async (address: string) =>
    /code=([\w-]+)/.exec((await site.mail()).filter(({ to }) => to === address).at(-1)?.text ?? '')?.[1] ?? ''
  const askReset = () => site.visitor().post(`${API}/user/password/reset`, { e_mail: 'ana@example.org' })
  const askChange = () => ana.post(`${API}/user/email/change/code`, { e_mail: 'new@example.org', pass: PASSWORD })
  const reset = (code: string) => site.visitor().post(`${API}/user/password/replacement`, { code, pass: 'Stolen12345' })
  const confirm = (code: string) => site.visitor().put(`${API}/user/email`, { code })

  const user_id = () => String(ana.id)
  const changes: [string, () => Promise<{ status: number }>][] = [
    ['the own password', () => ana.put(`${API}/user/password`, { old_pass: PASSWORD, pass: 'Changed12345' })],
    ["an admin's new password", () => admin.put(`${ADMIN}/user/password`, { user_id: user_id(), password: 'Changed12345' })],
    ['another role', () => admin.put(`${ADMIN}/user/role`, { user_id: user_id(), role_id: 3 })],
    ['another address', () => admin.put(`${ADMIN}/user/profile`, { user_id: user_id(), display_name: 'ana', email: 'other@example.org' })],
    [
      'another state, also when it is taken back',
      async () => {
        await admin.put(`${ADMIN}/user/status`, { user_id: user_id(), status: 'suspended' })
        return admin.put(`${ADMIN}/user/status`, { user_id: user_id(), status: 'normal' })
      },
    ],
  ]

  it.each(changes)('stops counting with %s', async (_, change) => {
    await askChange()
    await askReset()
    const [toConfirm, toReset] = [await newest('new@example.org'), await newest('ana@example.org')]
    expect([toConfirm, toReset]).not.toContain('')
    expect((await change()).status).toBe(200)
    expect(await confirm(toConfirm)).toMatchObject(refused)
    expect(await reset(toReset)).toMatchObject(refused)
  })

  it('for another address stops counting when a password was reset', async () => {
    await askChange()
    const stolen = await newest('new@example.org')
    await askReset()
    expect((await reset(await newest('ana@example.org'))).status).toBe(200)
    expect(await confirm(stolen)).toMatchObject(refused)
  })

  /** Where mails are written to is a file for a while. */
  const stopMail = () => writeFileSync(join(site.dataDir, 'mail'), '')
  const letMailGo = () => rmSync(join(site.dataDir, 'mail'))

  it('that waits to be mailed is not mailed any more', async () => {
    stopMail()
    await askChange()
    await site.idle()
    expect((await ana.put(`${API}/user/password`, { old_pass: PASSWORD, pass: 'Changed12345' })).status).toBe(200)
    letMailGo()
    site.advance(600)
    expect(await site.mail()).toEqual([])
  })

  it('is mailed once the server answers again, and stands in no queue until then', async () => {
    stopMail()
    await askReset()
    await site.idle()
    if (site.database === 'sqlite') {
      const file = new SqliteFile(join(site.dataDir, 'stoa.db'), { readonly: true })
      const waiting = file.prepare('select kind, payload from kernel__job').all() as { kind: string; payload: string }[]
      file.close()
      expect(waiting.map(({ kind, payload }) => [kind, JSON.parse(payload)])).toEqual([
        ['accounts.code_mail', { personId: ana.id, purpose: 'reset', language: 'en_US' }],
      ])
    }
    letMailGo()
    site.advance(600)
    const code = await newest('ana@example.org')
    expect((await reset(code)).status).toBe(200)
  })

  it('lives an hour, to activate a day, and says what it did once it was used', async () => {
    await askReset()
    const late = await newest('ana@example.org')
    site.advance(3601)
    expect(await reset(late)).toMatchObject(refused)
    await askReset()
    site.advance(3570)
    const code = await newest('ana@example.org')
    expect((await reset(code)).status).toBe(200)
    expect(await reset(code)).toMatchObject({ ...refused, data: { type: 'url_expired', used: 'reset' } })
    // What it was not for it does not tell.
    expect((await confirm(code)).data).toEqual({ type: 'url_expired' })

    const dora = { name: 'dora', e_mail: 'dora@example.com', pass: 'Dora12345' }
    await site.visitor().post(`${API}/user/register/email`, dora)
    const activation = await newest(dora.e_mail)
    site.advance(24 * 3600 - 30)
    const activate = () => site.visitor().post(`${API}/user/email/verification`, { code: activation })
    expect((await activate()).status).toBe(200)
    expect(await activate()).toMatchObject({ ...refused, data: { used: 'activate' } })
  })
})
