import { readdirSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeOnEach } from '../test-data.ts'

const link = 'https://stoa.example/users/account-activation?code=a_b-C9&x=1'
const message = {
  to: 'ada@example.org',
  subject: '激活你在思朵的账号',
  text: `${'你好，欢迎来到思朵。'.repeat(20)}\n\n${link}\n`,
  html: `<p>${'你好'.repeat(60)} <a href="${link}">激活</a></p>`,
}

describeOnEach('a mail', (store) => {
  it('becomes a readable file after commit, and its link stands in the log', async () => {
    const there = await store()
    const data = await there.open()
    await data.database
      .write(async () => {
        await data.mail.send({ ...message, to: 'nobody@example.org' })
        throw new Error('no')
      })
      .catch(() => {})
    await data.mail.send(message)
    await data.settled()
    const folder = join(there.dataDir, 'mail')
    const files = readdirSync(folder)
    expect(files).toHaveLength(1)
    expect(files[0]).toMatch(/^\d{8}T\d+Z-[0-9a-f]{8}\.eml$/)
    const content = readFileSync(join(folder, files[0] as string), 'utf8')
    expect(content).toContain('To: ada@example.org\n')
    expect(content).toContain(`\n${link}\n`)
    expect(content).toContain(`href="${link}"`)
    expect(content).toContain('欢迎来到思朵')
    expect(content).toMatch(/^Content-Type: multipart\/alternative/m)
    expect(there.logged.filter((line) => line.includes('mail written'))).toEqual([expect.stringContaining(JSON.stringify(link))])
  })

  it('goes to the server of the setting `smtp` once there is one', async () => {
    const there = await store()
    const data = await there.open()
    const lines: string[] = []
    const server = createServer((socket) => {
      let isData = false
      socket.write('220 test\r\n')
      socket.on('data', (chunk) => {
        for (const line of chunk.toString().split('\r\n').filter(Boolean)) {
          lines.push(line)
          if (isData && line !== '.') continue
          isData = line === 'DATA'
          socket.write(line === 'DATA' ? '354 go\r\n' : line.startsWith('QUIT') ? '221 bye\r\n' : '250 ok\r\n')
        }
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await data.settings.set('smtp', {
      smtp_host: '127.0.0.1',
      smtp_port: port,
      encryption: '',
      smtp_authentication: false,
      from_email: 'site@example.org',
      from_name: 'Stoa',
    })
    await data.mail.send(message)
    await data.settled()
    server.close()
    expect(lines).toContain('MAIL FROM:<site@example.org>')
    expect(lines).toContain('RCPT TO:<ada@example.org>')
  })

  it('has one receiver and the headers that it should have, whatever somebody calls themselves or a post', async () => {
    const there = await store()
    const data = await there.open()
    await data.settings.set('smtp', { from_name: 'Stoa\r\nBcc: all@example.org' })
    await data.mail.deliver({ ...message, subject: 'Hello\r\nBcc: all@example.org\r\n\r\n<b>body</b>\u2028x', unsubscribe: 'https://stoa.example/u?code=a~b' })
    for (const to of ['ada@example.org\r\nBcc: all@example.org', 'ada@example.org, all@example.org', 'Ada <ada@example.org>', 'ada'])
      expect(await data.mail.deliver({ ...message, to }), to).toMatchObject({ at: 'receiver', isFinal: true })
    const files = readdirSync(join(there.dataDir, 'mail'))
    expect(files).toHaveLength(1)
    const content = readFileSync(join(there.dataDir, 'mail', files[0] as string), 'utf8')
    const head = content.slice(0, content.indexOf('\n\n')).replaceAll(/\n[ \t]+/g, ' ')
    expect(head).not.toMatch(/^Bcc:/m)
    expect(head).toMatch(/^From: .*Stoa Bcc: all@example.org.* <noreply@/m)
    expect(head).toContain('\nSubject: Hello Bcc: all@example.org <b>body</b> x\n')
    expect(head).toContain('\nList-Unsubscribe: <https://stoa.example/u?code=a~b>\n')
    expect(head).toContain('\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\n')
  })

  it('is tried again when the server does not answer', async () => {
    const there = await store()
    const data = await there.open({ smtpUrl: 'smtp://127.0.0.1:1' })
    await data.mail.send(message)
    await data.settled()
    const rows = await data.database.query.selectFrom('kernel__job').select(['state', 'attempts', 'reason']).execute()
    expect(rows).toEqual([{ state: 'waiting', attempts: 1, reason: expect.stringContaining('ECONNREFUSED') }])
  })
})
