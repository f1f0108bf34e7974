import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PostOffice } from './post-office.ts'
import { openPostOffice, refusal } from './post-office.ts'
import { HOSTILE, tellerFolder } from './teller.ts'

const SMTP = '/answer/admin/api/setting/smtp'
const UNDELIVERED = '/answer/admin/api/mail/undelivered'
const DAY = 86_400
const plugins = ['mail', 'notifications', 'accounts', 'locale-en-us', 'teller']

describe('a notification by mail', () => {
  const folder = tellerFolder()
  let site: Site
  let admin: TestPerson
  let office: PostOffice
  let people: TestPerson[]
  let ana: TestPerson

  beforeAll(async () => {
    ;[site, office] = await Promise.all([startSite({ plugins, pluginDirs: [folder] }), openPostOffice()])
    admin = await site.admin()
    await admin.put(SMTP, { smtp_host: '127.0.0.1', smtp_port: office.port, smtp_authentication: false, from_email: 'site@example.com' })
    people = []
    for (let n = 1; n <= 12; n++) people.push(await site.member(`ana${n}`))
  })
  afterAll(async () => {
    await site.close()
    await office.close()
    rmSync(folder, { recursive: true })
  })
  beforeEach(async () => {
    office.onMail = () => {}
    office.onReceiver = () => {}
    ana = people.shift() as TestPerson
    // Weeks pass in here, and sessions do not live as long.
    const { data } = await site.visitor().post('/answer/api/v1/user/login/email', { e_mail: 'admin@example.org', pass: 'correct horse 7' })
    token = data.access_token
    // The admin is told of that login.
    await site.idle()
    office.arrived = []
  })

  let token = ''
  const asAdmin = async (method: string, path: string, body?: object) => {
    const headers = { authorization: token, 'content-type': 'application/json' }
    const reply = await fetch(site.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    expect(reply.status, path).toBe(200)
    return ((await reply.json()) as { data: { list: object[]; count: number } }).data
  }
  const tell = async (kind: string, from: number, to = from) => {
    const reply = await site.visitor().post('/teller/tell', { kind, to: [ana.id], from, to_n: to })
    expect(reply.status, reply.text).toBe(200)
  }
  /** Lets time pass and everything happen that is due then. */
  const later = async (seconds: number) => {
    await site.idle()
    site.advance(seconds)
    // What comes due is put into jobs, and these into others.
    for (const _ of [1, 2, 3]) await site.idle()
  }
  const undelivered = async () => (await asAdmin('GET', UNDELIVERED)).list
  const subjects = () => office.arrived.map(({ mail }) => mail.subject)

  it('says what happened to what, with a button, the reason and a way to end it', async () => {
    await tell('teller.now', 2)
    expect(office.arrived).toEqual([])
    await later(120)
    expect(office.arrived).toHaveLength(1)
    const { to, source, mail } = office.arrived[0] as PostOffice['arrived'][number]
    expect(to).toBe(`${ana.name}@example.org`)
    expect(mail.subject).toBe('[Test] admin said something: Thing 2')
    for (const body of [mail.text, String(mail.html)]) {
      for (const words of [
        'admin said something',
        'Thing 2',
        'Words of 2',
        `${site.url}/things/2`,
        'tell you right away',
        '/users/unsubscribe?code=',
      ])
        expect(body).toContain(words)
    }
    const head = source.slice(0, source.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]+/g, ' ')
    expect(head).toContain(`\r\nList-Unsubscribe: <${site.url}/users/unsubscribe?code=`)
    expect(head).toContain('\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click')
  })

  it('has what people wrote as text, whatever they wrote', async () => {
    await tell('teller.now', 1)
    await later(120)
    const { to, source, mail } = office.arrived[0] as PostOffice['arrived'][number]
    expect(to).toBe(`${ana.name}@example.org`)
    expect(source.slice(0, source.indexOf('\r\n\r\n'))).not.toMatch(/^Bcc:/m)
    const html = String(mail.html)
    expect(html).not.toMatch(/<script|<img|onerror=alert\(1\)>"/)
    // Its frame is whole: as many of each element begin as end.
    for (const tag of ['table', 'tr', 'td', 'a', 'div', 'p'])
      expect(html.match(new RegExp(`<${tag}[ >]`, 'g'))?.length, tag).toBe(html.match(new RegExp(`</${tag}>`, 'g'))?.length)
    expect(html).toContain('&#60;script&#62;alert(1)&#60;/script&#62;')
    expect(html).toContain('{{name}}')
    expect(mail.text).toContain(HOSTILE.slice(0, 30))
  })

  it('gathers what comes in a day or a week into one', async () => {
    await tell('teller.daily', 2, 4)
    await tell('teller.weekly', 5)
    await later(2 * DAY)
    expect(subjects()).toContain('[Test] Today: 3 updates')
    const { mail } = office.arrived.find((one) => one.mail.subject?.includes('Today')) as PostOffice['arrived'][number]
    expect([...(mail.text ?? '').matchAll(/^Thing \d$/gm)].map(String)).toEqual(['Thing 4', 'Thing 3', 'Thing 2'])
    expect(mail.text).toContain('Your daily summary')
    await later(7 * DAY)
    expect(subjects().sort()).toEqual(['[Test] This week: 1 update', '[Test] Today: 3 updates'])
  })

  it('ends with one press in the mail program, and only what it was sent for', async () => {
    await tell('teller.now', 3)
    await later(120)
    const url = /^List-Unsubscribe:\s*<([^>]+)>/m.exec(office.arrived[0]?.source.replaceAll(/\r\n[ \t]+/g, '') ?? '')?.[1] as string
    const press = (address: string, type: string, body: string) =>
      fetch(address, { method: 'POST', headers: { 'content-type': type }, body, redirect: 'manual' })
    expect((await press(`${url}x`, 'application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click')).status).toBe(403)
    // As RFC 8058 has it, twice, since nobody hinders a program from that.
    const multipart = '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n'
    expect((await press(url, 'multipart/form-data; boundary=b', multipart)).status).toBe(200)
    expect((await press(url, 'application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click')).status).toBe(200)
    await tell('teller.now', 4)
    await tell('teller.post', 5)
    await later(120)
    expect(subjects().slice(1)).toEqual(['[Test] admin posted: Thing 5'])
  })

  it('is not sent when it was read meanwhile', async () => {
    await tell('teller.now', 6)
    await tell('teller.daily', 7)
    const session = await site
      .visitor()
      .post('/answer/api/v1/user/login/email', { e_mail: `${ana.name}@example.org`, pass: 'correct horse 7' })
    const headers = { authorization: session.data.access_token as string, 'content-type': 'application/json' }
    const read = await fetch(`${site.url}/answer/api/v1/notification/read/state/all`, { method: 'PUT', headers, body: '{"type":"inbox"}' })
    expect(read.status).toBe(200)
    await later(2 * DAY)
    expect(office.arrived).toEqual([])
  })

  it('of all new posts comes at most fifty times a week', async () => {
    await tell('teller.post', 2, 54)
    await later(120)
    expect(office.arrived).toHaveLength(50)
    await tell('teller.post', 55)
    await tell('teller.now', 56)
    await later(120)
    expect(subjects().slice(50)).toEqual(['[Test] admin said something: Thing 56'])
    await later(7 * DAY)
    await tell('teller.post', 57)
    await later(120)
    expect(subjects().slice(51)).toEqual(['[Test] admin posted: Thing 57'])
  })

  it('is tried for most of a day while the server is away, listed meanwhile, and comes once', async () => {
    let isAway = true
    office.onMail = () => {
      if (isAway) throw refusal(421, '4.3.2 Going down for tonight')
    }
    await tell('teller.now', 2)
    await later(120)
    await later(3600)
    expect(await undelivered()).toMatchObject([{ state: 'trying', can_send_again: false, subject: '[Test] admin said something: Thing 2' }])
    isAway = false
    await later(6 * 3600)
    expect(office.arrived).toHaveLength(1)
    expect(await undelivered()).toEqual([])
    await later(DAY)
    expect(office.arrived).toHaveLength(1)
  })

  it('that nobody took is sent again by the admin', async () => {
    office.onMail = () => {
      throw refusal(421, 'never')
    }
    await tell('teller.now', 2)
    for (const _ of Array.from({ length: 9 })) await later(13 * 3600)
    expect(await undelivered()).toMatchObject([{ state: 'given_up', can_send_again: true, tries: 8 }])
    office.onMail = () => {}
    expect(await asAdmin('POST', `${UNDELIVERED}/again`, {})).toEqual({ count: 1 })
    await later(1)
    expect(office.arrived).toHaveLength(1)
    expect(await undelivered()).toEqual([])
  })

  it('is not sent any more to an address that refused two for good, until its owner says so or a mail arrives', async () => {
    const session = await site
      .visitor()
      .post('/answer/api/v1/user/login/email', { e_mail: `${ana.name}@example.org`, pass: 'correct horse 7' })
    const asAna = async (method: string, path: string, body?: object) => {
      const headers = { authorization: session.data.access_token as string, 'content-type': 'application/json' }
      const reply = await fetch(`${site.url}/answer/api/v1/user/notification/${path}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      })
      return { status: reply.status, ...((await reply.json()) as { data: { channels: { trouble?: string }[] } }) }
    }
    const trouble = async () => (await asAna('GET', 'config')).data.channels[0]?.trouble
    let tries = 0
    const refuse = (code: number, sentence = '5.1.1 No such mailbox') => {
      office.onReceiver = () => {
        tries++
        throw refusal(code, sentence)
      }
    }
    await site.idle()
    office.arrived = []
    refuse(451)
    await tell('teller.now', 2)
    for (const _ of Array.from({ length: 9 })) await later(13 * 3600)
    expect(await trouble()).toBeUndefined()
    // Of the site and not of the mailbox.
    refuse(550, '5.7.1 Relaying denied')
    for (const n of [9, 10]) {
      await tell('teller.now', n)
      await later(120)
    }
    expect(await trouble()).toBeUndefined()
    refuse(550)
    for (const n of [3, 4]) {
      await tell('teller.now', n)
      await later(120)
    }
    expect(await trouble()).toBe(
      `The mail server of ${ana.name}@example.org refuses our emails, so none are sent to it. It says: 550 5.1.1 No such mailbox`,
    )
    tries = 0
    await tell('teller.now', 5)
    await later(120)
    expect(tries).toBe(0)
    expect((await asAna('POST', 'channel/retry', { channel: 'pigeon' })).status).toBe(400)
    expect((await asAna('POST', 'channel/retry', { channel: 'email' })).status).toBe(200)
    expect(await trouble()).toBeUndefined()
    for (const n of [6, 7]) {
      await tell('teller.now', n)
      await later(120)
    }
    expect([tries, (await trouble()) === undefined]).toEqual([2, false])
    // What somebody asks for themselves is tried all the same.
    office.onReceiver = () => {}
    await site.visitor().post('/answer/api/v1/user/password/reset', { e_mail: `${ana.name}@example.org` })
    await later(120)
    expect(await trouble()).toBeUndefined()
    await tell('teller.now', 8)
    await later(120)
    expect(subjects().at(-1)).toBe('[Test] admin said something: Thing 8')
    await asAdmin('DELETE', UNDELIVERED, {})
  })

  it('that waits for its next try is not sent to an address that is found to be dead meanwhile; what its owner asks for is', async () => {
    const tried: string[] = []
    const reset = async () => {
      await site.visitor().post('/answer/api/v1/user/password/reset', { e_mail: `${ana.name}@example.org` })
      await later(1)
    }
    office.onMail = ({ mail }) => {
      tried.push(mail.subject ?? '')
      throw refusal(421, '4.3.2 Not now')
    }
    await tell('teller.now', 2)
    await later(120)
    expect(tried).toEqual(['[Test] admin said something: Thing 2'])
    office.onReceiver = () => {
      throw refusal(550, '5.1.1 No such mailbox')
    }
    for (const _ of [1, 2]) await reset()
    office.onReceiver = () => {}
    for (const _ of [1, 2, 3]) await later(6 * 3600)
    expect(tried).toHaveLength(1)
    expect(await undelivered()).toContainEqual(
      expect.objectContaining({ subject: tried[0], state: 'given_up', can_send_again: true, tries: 1 }),
    )
    await reset()
    expect([...new Set(tried.slice(1))]).toEqual(['[Test] Set a new password'])
    // The admin knows better.
    office.onMail = () => {}
    await asAdmin('POST', `${UNDELIVERED}/again`, {})
    await later(1)
    expect(subjects()).toContain('[Test] admin said something: Thing 2')
    await asAdmin('DELETE', UNDELIVERED, {})
  })

  it('is not sent to somebody who is suspended meanwhile', async () => {
    await tell('teller.now', 2)
    await asAdmin('PUT', '/answer/admin/api/user/status', { user_id: String(ana.id), status: 'suspended' })
    await later(120)
    // The mail about the suspension comes, and no notification: those say how to end them.
    expect(office.arrived.filter(({ mail }) => mail.text?.includes('unsubscribe'))).toEqual([])
  })
})

const message = {
  key: 'email 1',
  personId: 1,
  language: 'en_US',
  frequency: 'immediately',
  items: [
    { id: 0, kind: 'teller.now', title: 'Ana said something', about: 'A thing', summary: '', url: 'https://example.org/things/1', at: 1 },
  ],
  more: 0,
  unsubscribeUrl: 'https://example.org/users/unsubscribe?code=x',
}

it('that was with the server when the site was killed is not sent a second time by itself', async () => {
  const office = await openPostOffice()
  const dataDir = mkdtempSync(join(tmpdir(), 'stoa-killed-'))
  mkdirSync(join(dataDir, 'plugins'), { recursive: true })
  tellerFolder(join(dataDir, 'plugins'))
  const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(STOA_|DATABASE_URL|SMTP_URL|PORT|HOST)/.test(name)))
  const child = spawn(process.execPath, [resolve(import.meta.dirname, '../../../host-server/main.ts')], {
    env: {
      ...clean,
      PORT: '0',
      HOST: '127.0.0.1',
      STOA_DATA: dataDir,
      STOA_LANG: 'en_US',
      STOA_ADMIN_NAME: 'admin',
      STOA_ADMIN_EMAIL: 'admin@example.org',
      STOA_ADMIN_PASSWORD: 'correct horse 7',
      SMTP_URL: `smtp://127.0.0.1:${office.port}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const gone = new Promise<void>((done) => child.once('exit', () => done()))
  try {
    let output = ''
    const url = await new Promise<string>((done) => {
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => {
          output += chunk
          const address = /Ready at (\S+)/.exec(output)?.[1]
          if (address) done(address)
        })
    })
    const send = async (path: string, body: object, authorization = '', method = 'POST') => {
      const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) }
      const reply = await fetch(url + path, { method, headers, body: JSON.stringify(body) })
      expect(reply.status, path).toBe(200)
      return ((await reply.json()) as { data: { access_token: string } }).data
    }
    const { access_token } = await send('/answer/api/v1/user/login/email', { e_mail: 'admin@example.org', pass: 'correct horse 7' })
    await send('/answer/admin/api/plugin/status', { plugin_slug_name: 'teller', enabled: true }, access_token, 'PUT')
    // The server has the whole mail, and says nothing yet.
    const given = new Promise<void>((done) => {
      office.onMail = () => {
        done()
        return new Promise(() => {})
      }
    })
    await send('/teller/take', message, access_token)
    await given
  } finally {
    child.kill('SIGKILL')
    await gone
  }
  let second = 0
  office.onMail = () => void second++
  const site = await startSite({
    plugins,
    database: 'sqlite',
    pluginDirs: [join(dataDir, 'plugins')],
    restore: async (into) => cpSync(dataDir, into.dataDir, { recursive: true }),
  })
  try {
    const admin = await site.admin()
    await admin.put(SMTP, { smtp_host: '127.0.0.1', smtp_port: office.port, smtp_authentication: false })
    for (const _ of [1, 2, 3]) {
      await site.idle()
      site.advance(3600)
    }
    await site.idle()
    expect(second).toBe(0)
    expect((await admin.get(UNDELIVERED)).data.list).toMatchObject([{ to: 'admin@example.org', state: 'unsure', can_send_again: true }])
    await admin.post(`${UNDELIVERED}/again`, {})
    for (const _ of [1, 2]) await site.idle()
    expect(second).toBe(1)
    expect((await admin.get(UNDELIVERED)).data.list).toEqual([])
  } finally {
    await site.close()
    await office.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
})
