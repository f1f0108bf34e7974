import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { launchBrowser } from '../../../tests/support/browser.ts'
import type { PostOffice } from './post-office.ts'
import { openPostOffice, refusal, trustedCertificate } from './post-office.ts'

const SMTP = '/answer/admin/api/setting/smtp'
const UNDELIVERED = '/answer/admin/api/mail/undelivered'
const API = '/answer/api/v1'

describe('mail', () => {
  let site: Site
  let admin: TestPerson
  let office: PostOffice

  beforeAll(async () => {
    site = await startSite({ plugins: ['mail', 'accounts', 'locale-en-us', 'locale-zh-cn'] })
    admin = await site.admin()
  })
  afterAll(() => site.close())
  beforeEach(async () => {
    office = await openPostOffice()
    await admin.put(SMTP, settings({ smtp_port: office.port }))
  })
  afterEach(() => office.close())

  const settings = (changes: object = {}) => ({
    from_email: 'site@example.com',
    from_name: 'Test site',
    smtp_host: 'localhost',
    smtp_port: 25,
    encryption: '',
    smtp_username: '',
    smtp_password: '',
    smtp_authentication: false,
    ...changes,
  })
  const test = (changes: object = {}) => admin.put(SMTP, { ...settings(changes), test_email_recipient: 'owner@example.com' })
  const wrong = (reply: { data: { error_field: string; error_msg: string }[] }) =>
    Object.fromEntries(reply.data.map(({ error_field, error_msg }) => [error_field, error_msg]))
  const askReset = (address = 'ana@example.org') => site.visitor().post(`${API}/user/password/reset`, { e_mail: address })
  const undelivered = async () => (await admin.get(UNDELIVERED)).data.list

  describe('settings', () => {
    it('are for admins alone', async () => {
      for (const person of [site.visitor(), await site.member('ana'), await site.moderator()]) {
        expect([401, 403]).toContain((await person.get(SMTP)).status)
        expect([401, 403]).toContain((await person.put(SMTP, settings({ smtp_host: 'evil.example' }))).status)
        expect([401, 403]).toContain((await person.post(`${SMTP}/test`, settings({ smtp_host: 'evil.example' }))).status)
        expect([401, 403]).toContain((await person.get(UNDELIVERED)).status)
        expect([401, 403]).toContain((await person.post(`${UNDELIVERED}/again`, {})).status)
        expect([401, 403]).toContain((await person.del(UNDELIVERED, {})).status)
      }
      expect((await admin.get(SMTP)).data.smtp_host).toBe('localhost')
    })

    it('never show the password, and keep it when the mask comes back', async () => {
      const changes = { smtp_port: office.port, smtp_authentication: true, smtp_username: 'site', smtp_password: 'right' }
      expect((await admin.put(SMTP, settings(changes))).status).toBe(200)
      const { data } = await admin.get(SMTP)
      expect(data).toEqual({ ...settings(changes), smtp_password: '***********' })
      expect((await admin.put(SMTP, { ...data, from_name: 'Another name', test_email_recipient: 'owner@example.com' })).status).toBe(200)
      expect(office.arrived.map(({ user, mail }) => [user, mail.from?.value[0]?.name])).toEqual([['site', 'Another name']])
      await admin.put(SMTP, { ...data, smtp_password: '' })
      expect((await admin.get(SMTP)).data.smtp_password).toBe('')
    })

    it('that are wrong are said at their fields, and change nothing', async () => {
      const before = (await admin.get(SMTP)).data
      const hostile = {
        from_email: 'a@b.c>\r\nBcc: x@y.z',
        from_name: 'site@example.com',
        smtp_host: 'http://x',
        smtp_authentication: true,
      }
      const reply = await admin.put(SMTP, { ...settings(hostile), test_email_recipient: 'nobody' })
      expect(reply.status).toBe(400)
      expect(Object.keys(wrong(reply)).sort()).toEqual(['from_email', 'from_name', 'smtp_host', 'smtp_username', 'test_email_recipient'])
      for (const changes of [{ smtp_port: 70_000 }, { encryption: 'ROT13' }, { smtp_host: 'x'.repeat(300) }])
        expect((await admin.put(SMTP, settings(changes))).status).toBe(400)
      expect((await test({ smtp_host: '' })).data).toMatchObject([{ error_field: 'smtp_host' }])
      expect((await admin.get(SMTP)).data).toEqual(before)
    })

    it('that do not work are refused in the words of the server, at the field to be looked at', async () => {
      const before = (await admin.get(SMTP)).data
      const login = { smtp_port: office.port, smtp_authentication: true, smtp_username: 'site', smtp_password: 'wrong' }
      expect(wrong(await test(login)).smtp_username).toContain('5.7.8 That is not the password')
      expect(wrong(await test({ smtp_port: 1 })).smtp_host).toContain('ECONNREFUSED')
      expect(Object.keys(wrong(await test({ smtp_port: office.port, encryption: 'TLS' })))).toEqual(['encryption'])
      expect(Object.keys(wrong(await test({ smtp_port: office.port, encryption: 'SSL' })))).toEqual(['encryption'])
      office.onReceiver = () => {
        throw refusal(550, '5.1.1 Nobody of that name')
      }
      expect(wrong(await test({ smtp_port: office.port })).test_email_recipient).toContain('5.1.1 Nobody of that name')
      expect(office.arrived).toEqual([])
      expect((await admin.get(SMTP)).data).toEqual(before)
      expect(await undelivered()).toEqual([])
    })

    it('are tried without sending or storing anything, and what is wrong is said in words, with what to do', async () => {
      const before = (await admin.get(SMTP)).data
      const login = { smtp_port: office.port, smtp_authentication: true, smtp_username: 'site', smtp_password: 'right' }
      const greet = (changes: object) => admin.post(`${SMTP}/test`, settings({ ...login, from_name: 'Not stored', ...changes }))
      expect((await greet({})).status).toBe(200)
      expect((await greet({ smtp_authentication: false })).status).toBe(200)
      for (const [changes, field, words] of [
        [{ smtp_password: 'wrong' }, 'smtp_username', /does not accept this login.*5\.7\.8 That is not the password/],
        [{ smtp_port: 1 }, 'smtp_port', /Nothing answers at this port.*ECONNREFUSED/],
        [{ smtp_host: 'nowhere.invalid' }, 'smtp_host', /no server of this name/],
        [{ encryption: 'SSL' }, 'encryption', /does not speak this kind of encryption/],
        [{ encryption: 'TLS' }, 'encryption', /certificate is not to be trusted.*expired/],
        [{ smtp_host: '' }, 'smtp_host', /needs a mail server/],
        [{ smtp_host: 'http://x' }, 'smtp_host', /Only the name/],
        [{ smtp_username: '' }, 'smtp_username', /Enter the username/],
      ] as const) {
        const refused = await greet(changes)
        expect([refused.status, Object.keys(wrong(refused))], field).toEqual([400, [field]])
        expect(wrong(refused)[field]).toMatch(words)
      }
      expect(office.arrived).toEqual([])
      expect((await admin.get(SMTP)).data).toEqual(before)
      expect(await undelivered()).toEqual([])
    })

    it('are tried with the stored password where its mask comes back, and with none that was taken out', async () => {
      await admin.put(SMTP, settings({ smtp_port: office.port, smtp_authentication: true, smtp_username: 'site', smtp_password: 'right' }))
      const { data } = await admin.get(SMTP)
      expect((await admin.post(`${SMTP}/test`, data)).status).toBe(200)
      expect((await admin.post(`${SMTP}/test`, { ...data, smtp_password: '' })).status).toBe(400)
      expect((await admin.post(`${SMTP}/test`, {})).status).toBe(200)
    })

    it('neither send nor keep the stored password at another server or for another account', async () => {
      const login = { smtp_port: office.port, smtp_authentication: true, smtp_username: 'site', smtp_password: 'right' }
      await admin.put(SMTP, settings(login))
      const { data } = await admin.get(SMTP)
      for (const changes of [{ smtp_host: '127.0.0.1' }, { smtp_username: 'other' }]) {
        for (const call of [
          admin.post(`${SMTP}/test`, { ...data, ...changes }),
          admin.put(SMTP, { ...data, ...changes }),
          admin.put(SMTP, changes),
        ]) {
          const refused = await call
          expect([refused.status, Object.keys(wrong(refused))]).toEqual([400, ['smtp_password']])
        }
        expect((await admin.post(`${SMTP}/test`, { ...data, ...changes, smtp_password: 'right' })).status).toBe(200)
      }
      expect((await admin.get(SMTP)).data).toEqual(data)
      for (const changes of [{ smtp_host: '' }, { smtp_host: '127.0.0.1', smtp_authentication: false }]) {
        await admin.put(SMTP, settings(login))
        expect((await admin.put(SMTP, { ...data, ...changes })).status).toBe(200)
        expect((await admin.get(SMTP)).data.smtp_password).toBe('')
      }
    })

    it('work with TLS from the start and with STARTTLS, where the certificate is trusted', async () => {
      const { key, cert, distrust } = await trustedCertificate()
      const offices = await Promise.all([openPostOffice({ key, cert, secure: true }), openPostOffice({ key, cert })])
      const [tls, startTls] = offices
      try {
        expect((await test({ smtp_port: tls.port, encryption: 'SSL' })).status).toBe(200)
        expect((await test({ smtp_port: startTls.port, encryption: 'TLS' })).status).toBe(200)
        expect(offices.map(({ arrived }) => arrived.map(({ isEncrypted }) => isEncrypted))).toEqual([[true], [true]])
        expect((await admin.post(`${SMTP}/test`, settings({ smtp_port: tls.port, encryption: 'SSL' }))).status).toBe(200)
        distrust()
        expect(wrong(await admin.post(`${SMTP}/test`, settings({ smtp_port: tls.port, encryption: 'SSL' }))).encryption).toMatch(
          /certificate is not to be trusted/,
        )
        expect(wrong(await test({ smtp_port: tls.port, encryption: 'SSL' })).encryption).toMatch(/certificate/)
        expect(wrong(await test({ smtp_port: startTls.port, encryption: 'TLS' })).encryption).toMatch(/certificate/)
        // Nobody asked for it: encrypted all the same, whoever signed the certificate.
        expect((await test({ smtp_port: startTls.port })).status).toBe(200)
        expect(startTls.arrived[1]).toMatchObject({ isEncrypted: true })
      } finally {
        distrust()
        for (const one of offices) await one.close()
      }
    })
  })

  describe('of accounts', () => {
    it('comes as HTML in the common frame and as plain text, in the language of the receiver', async () => {
      const bo = await site.member('bo')
      await bo.put(`${API}/user/interface`, { language: 'zh_CN', color_scheme: 'default' })
      await askReset()
      await askReset('bo@example.org')
      await site.idle()
      // They are on their way at the same time.
      const [first, second] = ['ana@example.org', 'bo@example.org'].map((to) => office.arrived.find((one) => one.to === to)?.mail)
      expect(first).toMatchObject({
        subject: '[Test] Set a new password',
        to: { text: 'ana@example.org' },
        from: { text: expect.any(String) },
      })
      expect(first?.headers.get('auto-submitted')).toBe('auto-generated')
      const link = /https?:\S+code=[\w-]+/.exec(first?.text ?? '')?.[0] as string
      expect(first?.html).toContain(`href="${link}"`)
      expect(first?.html).toContain('<h1')
      expect(first?.html).toContain('prefers-color-scheme:dark')
      expect(second).toMatchObject({ subject: '[Test] 重置密码', html: expect.stringContaining('lang="zh-CN"') })
    })

    it('comes as plain text while the plugin is off', async () => {
      await site.switch('mail', false)
      await askReset()
      await site.idle()
      await site.switch('mail', true)
      expect(office.arrived).toHaveLength(1)
      expect(office.arrived[0]?.mail).toMatchObject({ html: false, text: expect.stringContaining('/users/password-reset?code=') })
    })

    it('is tried again after a refusal for now, and arrives once', async () => {
      let isBusy = true
      office.onMail = () => {
        if (isBusy) throw refusal(451, '4.7.1 Try again later')
      }
      await askReset()
      await site.idle()
      const [waiting, ...others] = await undelivered()
      expect(others).toEqual([])
      expect(waiting).toMatchObject({ to: 'ana@example.org', state: 'trying', can_send_again: false })
      // On a busy machine the second try has come by now.
      expect(waiting.tries).toBeGreaterThanOrEqual(1)
      expect(waiting.reason).toContain('4.7.1 Try again later')
      isBusy = false
      site.advance(600)
      await site.idle()
      expect(office.arrived).toHaveLength(1)
      expect(await undelivered()).toEqual([])
    })

    it('that is refused for good is listed with the reason, tried no more, and sent again by the admin', async () => {
      let isFull = true
      office.onReceiver = () => {
        if (isFull) throw refusal(552, '5.2.2 The mailbox of that person is full')
      }
      await askReset()
      await site.idle()
      site.advance(3600)
      await site.idle()
      const [listed] = await undelivered()
      expect(listed).toMatchObject({
        to: 'ana@example.org',
        subject: '[Test] Set a new password',
        state: 'refused',
        tries: 1,
        can_send_again: true,
      })
      expect(listed.reason).toContain('5.2.2 The mailbox of that person is full')
      isFull = false
      expect((await admin.post(`${UNDELIVERED}/again`, { id: listed.id })).data).toEqual({ count: 1 })
      // A second press, and one of another tab.
      expect((await admin.post(`${UNDELIVERED}/again`, {})).data).toEqual({ count: 0 })
      await site.idle()
      expect(office.arrived).toHaveLength(1)
      const code = /code=([\w-]+)/.exec(office.arrived[0]?.mail.text ?? '')?.[1]
      expect((await site.visitor().post(`${API}/user/password/replacement`, { code, pass: 'Renewed12345' })).status).toBe(200)
      expect(await undelivered()).toEqual([])
    })

    it('is not sent again for somebody who has changed since, and can be taken off the list', async () => {
      office.onReceiver = () => {
        throw refusal(550, 'no')
      }
      const carl = await site.member('carl')
      await askReset('carl@example.org')
      await site.idle()
      await carl.put(`${API}/user/password`, { old_pass: 'correct horse 7', pass: 'Changed12345' })
      office.onReceiver = () => {}
      const [listed] = await undelivered()
      await admin.post(`${UNDELIVERED}/again`, { id: listed.id })
      await site.idle()
      expect(office.arrived).toEqual([])
      for (const id of [2 ** 63, 1e300]) {
        expect((await admin.del(UNDELIVERED, { id })).data, `${id}`).toMatchObject([{ error_field: 'id' }])
        expect((await admin.post(`${UNDELIVERED}/again`, { id })).data, `${id}`).toMatchObject([{ error_field: 'id' }])
      }
      expect((await admin.del(UNDELIVERED, { id: listed.id })).status).toBe(200)
      expect(await undelivered()).toEqual([])
    })
  })

  it('is set up on its page, which says at the field what does not work, and shows what was not delivered', async () => {
    const browser = await launchBrowser()
    try {
      const page = await browser.newPage()
      await page.addInitScript((token) => localStorage.setItem('stoa:token', JSON.stringify({ v: token, until: null })), admin.token)
      await page.goto(`${site.url}/admin/smtp`)
      await page.getByRole('switch', { name: 'The server asks for a login' }).check()
      await page.getByLabel('Username').fill('site')
      await page.getByLabel('Password').fill('wrong')
      await page.getByRole('button', { name: 'Test connection' }).click()
      await page.getByText('The server does not accept this login.').first().waitFor()
      await page.getByLabel('Send it to').fill('owner@example.com')
      await page.getByRole('button', { name: 'Save and send a test email' }).click()
      await page.getByText('5.7.8 That is not the password').waitFor()
      expect(await page.getByLabel('Username').evaluate((field) => field === document.activeElement)).toBe(true)
      await page.getByLabel('Password').fill('right')
      await page.getByRole('button', { name: 'Test connection' }).click()
      await page.getByText('The server can be reached and lets the site in.').waitFor()
      expect(office.arrived).toEqual([])
      await page.getByRole('button', { name: 'Save and send a test email' }).click()
      await page.getByText('The server took the test email for owner@example.com.').waitFor()
      expect(office.arrived.map(({ to, user }) => [to, user])).toEqual([['owner@example.com', 'site']])

      // What does not work replaces nothing, unless the owner insists.
      await page.getByLabel('Port').fill('1')
      const save = page.getByRole('button', { name: 'Save', exact: true })
      await save.click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('Nothing answers at this port.').waitFor()
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await page.getByText('Nothing answers at this port.').waitFor()
      expect((await admin.get(SMTP)).data.smtp_port).toBe(office.port)
      await save.click()
      // What is typed while it is being saved stays.
      const typed = Promise.withResolvers<void>()
      await page.route(`**${SMTP}`, async (route) => {
        if (route.request().method() === 'PUT') await typed.promise
        await route.continue()
      })
      await dialog.getByRole('button', { name: 'Save anyway' }).click()
      await page.getByLabel('Port').fill(String(office.port))
      typed.resolve()
      await page.getByText('Saved.', { exact: true }).waitFor()
      expect((await admin.get(SMTP)).data.smtp_port).toBe(1)
      await save.click()
      await expect.poll(async () => (await admin.get(SMTP)).data.smtp_port).toBe(office.port)

      office.onReceiver = () => {
        throw refusal(550, '5.1.1 Nobody of that name')
      }
      await askReset()
      await site.idle()
      await page.reload()
      await page.getByText('550 5.1.1 Nobody of that name').waitFor()
      office.onReceiver = () => {}
      await page.getByRole('button', { name: 'Send again to ana@example.org' }).click()
      await expect.poll(() => office.arrived.length).toBe(2)
      await page.reload()
      await page.getByText('Every email was taken by the server.').waitFor()
    } finally {
      await browser.close()
    }
  })
})
