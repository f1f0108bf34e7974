import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
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
  let people = 0
  let ana: TestPerson

  beforeAll(async () => {
    site = await startSite({ plugins, pluginDirs: [folder] })
    admin = await site.admin()
  })
  afterAll(async () => {
    await site.close()
    rmSync(folder, { recursive: true })
  })
  beforeEach(async () => {
    office = await openPostOffice()
    await admin.put(SMTP, { smtp_host: '127.0.0.1', smtp_port: office.port, smtp_authentication: false, from_email: 'site@example.com' })
    ana = await site.member(`ana${++people}`)
  })
  afterEach(() => office.close())

  const tell = async (kind: string, from: number, to = from) => {
    const reply = await admin.post('/teller/tell', { kind, to: [ana.id], from, to_n: to })
    expect(reply.status, reply.text).toBe(200)
  }
  /** Lets time pass and everything happen that is due then. */
  const later = async (seconds: number) => {
    await site.idle()
    site.advance(seconds)
    // What comes due is put into jobs, and these into others.
    for (const _ of [1, 2, 3]) await site.idle()
  }
  const undelivered = async () => (await admin.get(UNDELIVERED)).data.list
  const subjects = () => office.arrived.map(({ mail }) => mail.subject)

  it('says what happened to what, with a button, the reason and a way to end it', async () => {
    await tell('teller.now', 2)
    expect(office.arrived).toEqual([])
    await later(120)
    expect(office.arrived).toHaveLength(1)
    const { to, mail } = office.arrived[0] as PostOffice['arrived'][number]
    expect(to).toBe(`ana${people}@example.org`)
    expect(mail.subject).toBe('[Test] admin said something: Thing 2')
    for (const body of [mail.text, String(mail.html)]) {
      for (const words of ['admin said something', 'Thing 2', 'Words of 2', `${site.url}/things/2`, 'tell you right away', '/users/unsubscribe?code='])
        expect(body).toContain(words)
    }
    const list = mail.headers.get('list') as unknown as { unsubscribe: { url: string } }
    expect(list.unsubscribe.url).toMatch(`${site.url}/users/unsubscribe?code=`)
    expect(mail.headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  })

  it('has what people wrote as text, whatever they wrote', async () => {
    await tell('teller.now', 1)
    await later(120)
    const { to, source, mail } = office.arrived[0] as PostOffice['arrived'][number]
    expect(to).toBe(`ana${people}@example.org`)
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
    expect((await admin.post(`${UNDELIVERED}/again`, {})).data).toEqual({ count: 1 })
    await later(1)
    expect(office.arrived).toHaveLength(1)
    expect(await undelivered()).toEqual([])
  })

  it('is not sent to somebody who is suspended meanwhile', async () => {
    await tell('teller.now', 2)
    await admin.put('/answer/admin/api/user/status', { user_id: String(ana.id), status: 'suspended' })
    await later(120)
    expect(office.arrived).toEqual([])
  })
})

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
    await send('/teller/tell', { kind: 'teller.now', to: [1], from: 2, to_n: 2 }, access_token)
    // The server has the whole mail, and says nothing yet.
    office.onMail = () => new Promise(() => {})
    const given = new Promise<void>((done) => {
      office.onMail = () => {
        done()
        return new Promise(() => {})
      }
    })
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
