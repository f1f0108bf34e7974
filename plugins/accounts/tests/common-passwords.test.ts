import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const API = '/answer/api/v1'
const ADMIN = '/answer/admin/api'
const PASSWORD = 'correct horse 7'

describe('a password that others try first', () => {
  let site: Site
  let admin: TestPerson
  let ana: TestPerson
  beforeAll(async () => {
    site = await startSite({ plugins: ['accounts', 'locale-en-us', 'locale-zh-cn'] })
    admin = await site.admin()
    ana = await site.member('ana-of-the-hill')
  })
  afterAll(() => site?.close())

  /** Many people have these; ana's address and name are known to whoever meets her. */
  const common = ['PassWord1', 'qwertyuiop', 'ana-of-the-hill@example.org', 'Ana-of-the-hill']
  const logIn = (pass: string) => site.visitor().post(`${API}/user/login/email`, { e_mail: 'ana-of-the-hill@example.org', pass })

  async function resetCode(): Promise<string> {
    await site.visitor().post(`${API}/user/password/reset`, { e_mail: 'ana-of-the-hill@example.org' })
    const mail = (await site.mail()).findLast(({ to, text }) => to === 'ana-of-the-hill@example.org' && text.includes('password-reset'))
    return /code=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
  }

  it.each(common)('is refused of whoever joins, changes or replaces theirs, and of an admin who sets it: %s', async (pass) => {
    const code = await resetCode()
    const refused = async (field: string, reply: Promise<{ status: number; reason: string; data: unknown }>) =>
      expect(await reply).toMatchObject({
        status: 400,
        reason: 'error.accounts.password_common',
        data: [{ error_field: field, error_msg: expect.stringContaining('easy to guess') }],
      })
    const joining = { name: 'Ana-of-the-hill', e_mail: 'ana-of-the-hill@example.com', pass: pass.replace('.org', '.com') }
    await refused('pass', site.visitor().post(`${API}/user/register/email`, joining))
    await refused('pass', ana.put(`${API}/user/password`, { old_pass: PASSWORD, pass }))
    await refused('pass', site.visitor().post(`${API}/user/password/replacement`, { code, pass }))
    await refused('password', admin.put(`${ADMIN}/user/password`, { user_id: String(ana.id), password: pass }))
    expect((await logIn(PASSWORD)).status).toBe(200)
  })

  it('leaves a mailed code as good as it was', async () => {
    const code = await resetCode()
    const replace = (pass: string) => site.visitor().post(`${API}/user/password/replacement`, { code, pass })
    expect((await replace('Ana-of-the-hill')).status).toBe(400)
    expect((await replace(PASSWORD)).status).toBe(200)
  })

  it.each(common)('is refused of an admin who adds people, who is told the line: %s', async (pass) => {
    const [ben, ana] = ['Ben, ben@example.com, Ben1234567', `Ana-of-the-hill, ana-of-the-hill@example.net, ${pass.replace('.org', '.net')}`]
    for (const [language, told] of [
      ['en_US', 'easy to guess'],
      ['zh_CN', '容易被猜到'],
    ] as const) {
      const asked = admin.speaking(language)
      const one = await asked.post(`${ADMIN}/users`, { users: ana })
      expect(one).toMatchObject({ status: 400, data: [{ error_field: 'users', error_msg: expect.stringMatching(`1.*${told}`) }] })
      const many = await asked.post(`${ADMIN}/users`, { users: `${ben}\n${ana}` })
      expect(many).toMatchObject({ status: 400, data: [{ error_field: 'users', error_msg: expect.stringMatching(`2.*${told}`) }] })
      const { data } = await asked.post(`${ADMIN}/users/check`, { users: `${ben}\n${ana}` })
      expect(data).toMatchObject([{ problem: '' }, { line: 2, problem: expect.stringMatching(`2.*${told}`) }])
    }
    expect((await admin.get(`${ADMIN}/users/page`, { query: 'ben@example.com' })).data.count).toBe(0)
  })
})
