import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, describe, expect, it } from 'vitest'

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const clean of cleanups.splice(0)) clean()
})

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'stoa-start-'))
  cleanups.push(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** Starts the server as an operator would. */
function start(env: Record<string, string>) {
  const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(STOA_|DATABASE_URL|SMTP_URL|PORT|HOST)/.test(name)))
  const child = spawn(process.execPath, [join(import.meta.dirname, 'built-server.ts')], {
    env: { ...clean, PORT: '0', HOST: '127.0.0.1', ...env },
  })
  cleanups.push(() => child.kill('SIGKILL'))
  let output = ''
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
      for (const listener of listeners) listener()
    })
  }
  const exit = new Promise<number | null>((done) => child.once('exit', done))
  const address = new Promise<string>((done) => {
    listeners.add(() => {
      const ready = /Ready at (\S+)/.exec(output)
      if (ready) done(ready[1] as string)
    })
  })
  return { child, exit, address, output: () => output }
}

const owner = {
  STOA_SITE_NAME: 'First',
  STOA_LANG: 'en_US',
  STOA_ADMIN_NAME: 'owner',
  STOA_ADMIN_EMAIL: 'owner@example.org',
  STOA_ADMIN_PASSWORD: 'Owner12345',
}

const login = (url: string, pass: string) =>
  fetch(`${url}/answer/api/v1/user/login/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ e_mail: owner.STOA_ADMIN_EMAIL, pass }),
  })
const logIn = async (url: string, pass: string): Promise<number> => (await login(url, pass)).status

describe('a wrong value in the environment', () => {
  const wrong: [string, string, string][] = [
    ['PORT', '70000', '65535'],
    ['HOST', 'no host!', '127.0.0.1'],
    ['DATABASE_URL', 'mysql://u:secret@h/n', 'postgres://'],
    ['DATABASE_URL', 'postgres://u:secret@127.0.0.1:1/n', 'DATABASE_URL'],
    ['SMTP_URL', 'http://h', 'smtp://'],
    ['STOA_SITE_URL', 'example', 'https://'],
    ['STOA_LANG', 'klingon', 'zh_CN'],
    ['STOA_RATE_LIMITS', 'maybe', 'off'],
    ['STOA_TRUST_PROXY', 'everybody', '127.0.0.1'],
    ['STOA_OUTGOING_ALLOW', 'everybody', '10.0.0.5'],
    ['STOA_ADMIN_PASSWORD', 'short', '8 to 32'],
    ['STOA_ADMIN_EMAIL', 'nobody', 'e-mail'],
    ['STOA_ADMIN_NAME', 'two words', '2 to 30'],
    ['STOA_PRIVATE', 'maybe', 'off'],
  ]
  it.each(wrong)('%s=%s stops the start with one sentence', async (name, value, right) => {
    const server = start({ STOA_DATA: folder(), [name]: value })
    expect(await server.exit).toBe(1)
    const sentence = server.output().trim()
    expect(sentence).toContain(name)
    expect(sentence).toContain(right)
    expect(sentence).not.toContain('secret')
    expect(sentence.split('\n')).toHaveLength(1)
  })

  it('names a data directory that cannot be one, and a port that is taken', async () => {
    const file = join(folder(), 'file')
    writeFileSync(file, '')
    const noFolder = start({ STOA_DATA: file })
    expect(await noFolder.exit).toBe(1)
    expect(noFolder.output()).toMatch(/^STOA_DATA is /)
    const other = createServer().listen(0, '127.0.0.1')
    cleanups.push(() => other.close())
    await new Promise((done) => other.once('listening', done))
    const { port } = other.address() as AddressInfo
    const taken = start({ STOA_DATA: folder(), PORT: String(port) })
    expect(await taken.exit).toBe(1)
    expect(taken.output()).toContain(`PORT is "${port}"`)
  })
})

describe('the first start', () => {
  it('sets the site up from the environment; later starts change nothing and go on', async () => {
    const STOA_DATA = folder()
    const first = start({
      STOA_DATA,
      ...owner,
      STOA_PRIVATE: 'on',
      STOA_CONTACT_EMAIL: 'hello@example.org',
      STOA_SETUP_TIME_ZONE: 'Asia/Tokyo',
    })
    expect(await logIn(await first.address, owner.STOA_ADMIN_PASSWORD)).toBe(200)
    first.child.kill('SIGTERM')
    expect(await first.exit).toBe(0)
    const second = start({ STOA_DATA, ...owner, STOA_SITE_NAME: 'Second', STOA_ADMIN_PASSWORD: 'Another12345' })
    const url = await second.address
    const { data } = (await (await fetch(`${url}/answer/api/v1/siteinfo`)).json()) as {
      data: { general: object; interface: { time_zone: string } }
    }
    expect(data.general).toMatchObject({ name: 'First', contact_email: 'hello@example.org' })
    expect(data.interface.time_zone).toBe('Asia/Tokyo')
    expect((await fetch(`${url}/answer/api/v1/tags/page`)).status).toBe(401)
    expect(await logIn(url, 'Another12345')).toBe(400)
    expect(await logIn(url, owner.STOA_ADMIN_PASSWORD)).toBe(200)
    second.child.kill('SIGTERM')
    expect(await second.exit).toBe(0)
  })

  it('has what the built server opens besides: the threads that read and draw, the process of pictures', async () => {
    const server = start({ STOA_DATA: folder(), ...owner })
    const url = await server.address
    const { data } = (await (await login(url, owner.STOA_ADMIN_PASSWORD)).json()) as { data: { access_token: string } }
    const page = await fetch(`${url}/tags`, { headers: { accept: 'text/html' } })
    expect(await page.text()).toContain('<h1')
    expect((await fetch(`${url}/answer/api/v1/tags/page`)).status).toBe(200)
    const form = new FormData()
    form.set('source', 'avatar')
    const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: '#39f' } }).png()
    form.set('file', new File([new Uint8Array(await picture.toBuffer())], 'me.png'))
    const sent = await fetch(`${url}/answer/api/v1/file`, { method: 'POST', headers: { authorization: data.access_token }, body: form })
    expect(sent.status).toBe(200)
    server.child.kill('SIGTERM')
    expect(await server.exit).toBe(0)
    expect(server.output()).not.toMatch(/ (warn|error) /)
  })

  it('without these variables waits for the installer', async () => {
    const server = start({ STOA_DATA: folder() })
    const url = await server.address
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    const state = await fetch(`${url}/installation/config-file/check`, { method: 'POST' })
    expect(await state.json()).toMatchObject({ data: { config_file_exist: false, db_table_exist: false } })
    const page = await fetch(`${url}/`, { headers: { accept: 'text/html' }, redirect: 'manual' })
    expect([page.status, page.headers.get('location')]).toEqual([302, '/install'])
  })
})
