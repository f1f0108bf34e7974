import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { get as httpGet } from 'node:http'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let site: Site
let picture: Buffer
const NAME = 'post/a-picture.png'
const MB = 1024 * 1024

beforeAll(async () => {
  site = await startSite({ plugins: ['site', 'locale-en-us'] })
  const noise = { width: 1000, height: 1000, channels: 3 } as const
  picture = await sharp(randomBytes(3_000_000), { raw: noise }).png().toBuffer()
  store(NAME, picture)
  store('files/post/note.txt', 'hello')
})
afterAll(() => site.close())

function store(name: string, content: Buffer | string): void {
  const file = join(site.dataDir, 'uploads', name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}

const port = (): number => Number(new URL(site.url).port)

/** As it was sent: nothing is unpacked, no header is added. */
function raw(path: string, headers: Record<string, string> = {}, method = 'GET') {
  return new Promise<{ status: number; headers: Record<string, string | string[] | undefined>; body: Buffer }>((resolve, reject) => {
    const request = httpGet({ host: '127.0.0.1', port: port(), path, headers, method, agent: false }, async (reply) => {
      const chunks: Buffer[] = []
      for await (const chunk of reply) chunks.push(chunk as Buffer)
      resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: Buffer.concat(chunks) })
    })
    request.on('error', reject)
  })
}

describe('a built file', () => {
  let main: string
  beforeAll(async () => {
    const html = await (await fetch(site.url)).text()
    main = /\/static\/core\/main\.\w+\.js/.exec(html)?.[0] as string
  })

  it('comes in the form that the client takes, which the build has written', async () => {
    const plain = await raw(main)
    const br = await raw(main, { 'accept-encoding': 'gzip, br' })
    const gz = await raw(main, { 'accept-encoding': 'gzip' })
    expect([plain, br, gz].map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'br', 'gzip'])
    expect(brotliDecompressSync(br.body).equals(plain.body)).toBe(true)
    expect(gunzipSync(gz.body).equals(plain.body)).toBe(true)
    for (const { status, headers, body } of [plain, br, gz]) {
      expect(status).toBe(200)
      expect(headers).toMatchObject({
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-length': String(body.length),
      })
      expect(String(headers.vary).toLowerCase()).toContain('accept-encoding')
    }
    for (const refused of ['br;q=0, gzip;q=0', 'identity'])
      expect((await raw(main, { 'accept-encoding': refused })).headers['content-encoding']).toBeUndefined()
  })

  it('is sent again only where it has changed, whatever the form', async () => {
    const { headers } = await raw(main, { 'accept-encoding': 'br' })
    for (const tag of [headers.etag as string, `W/${headers.etag}`, `"x", ${headers.etag}`, '*']) {
      const same = await raw(main, { 'if-none-match': tag, 'accept-encoding': 'gzip' })
      expect([same.status, same.body.length, same.headers.etag]).toEqual([304, 0, headers.etag])
    }
    expect((await raw(main, { 'if-none-match': '"other"' })).status).toBe(200)
  })

  it('comes in parts of its plain bytes', async () => {
    const { body, headers } = await raw(main)
    const part = await raw(main, { range: 'bytes=10-19', 'accept-encoding': 'br' })
    expect([part.status, part.headers['content-range'], part.headers['content-encoding']]).toEqual([
      206,
      `bytes 10-19/${body.length}`,
      undefined,
    ])
    expect(part.body.equals(body.subarray(10, 20))).toBe(true)
    expect((await raw(main, { range: 'bytes=-5' })).body.equals(body.subarray(-5))).toBe(true)
    expect((await raw(main, { range: 'bytes=5-', 'if-range': headers.etag as string })).status).toBe(206)
    expect((await raw(main, { range: 'bytes=5-', 'if-range': '"other"' })).status).toBe(200)
    const beyond = await raw(main, { range: `bytes=${body.length}-` })
    expect([beyond.status, beyond.headers['content-range']]).toEqual([416, `bytes */${body.length}`])
    expect(beyond.headers['cache-control']).toBeUndefined()
  })

  it('has a head', async () => {
    const whole = await raw(main)
    const head = await raw(main, {}, 'HEAD')
    expect([head.status, head.body.length, head.headers['content-length']]).toEqual([200, 0, String(whole.body.length)])
  })

  it('is one that the site knows; of everything else the reply is an envelope', async () => {
    for (const path of [
      `${main}.br`,
      `${main}.gz`,
      '/static/core/manifest.json',
      '/static/core/',
      '/static/',
      '/static/core/..%2f..%2fplugin.json',
      '/static/core/%',
    ]) {
      const { status, headers, body } = await raw(path)
      expect(status, path).toBe(404)
      expect(headers['cache-control'], path).toBe('no-store')
      expect(JSON.parse(body.toString()), path).toMatchObject({ code: 404, reason: 'base.route_not_found' })
    }
  })
})

describe('an upload', () => {
  const path = `/uploads/${NAME}`

  it('is shown as a picture or offered as a download, and runs nothing', async () => {
    const shown = await raw(path, { 'accept-encoding': 'br, gzip' })
    expect(shown.body.equals(picture)).toBe(true)
    expect(shown.headers).toMatchObject({
      'content-type': 'image/png',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
      'accept-ranges': 'bytes',
    })
    expect(shown.headers['content-disposition']).toBeUndefined()
    const offered = await raw('/uploads/files/post/note.txt')
    expect(offered.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': "attachment; filename*=UTF-8''note.txt",
    })
  })

  it('comes in parts, and again only where it has changed', async () => {
    const { headers } = await raw(path)
    const part = await raw(path, { range: 'bytes=100-199' })
    expect([part.status, part.headers['content-range']]).toEqual([206, `bytes 100-199/${picture.length}`])
    expect(part.body.equals(picture.subarray(100, 200))).toBe(true)
    expect((await raw(path, { range: 'bytes=99999999-' })).status).toBe(416)
    expect((await raw(path, { 'if-none-match': headers.etag as string })).status).toBe(304)
    expect((await raw(path, { 'if-modified-since': headers['last-modified'] as string })).status).toBe(304)
    const head = await raw(path, {}, 'HEAD')
    expect([head.status, head.body.length, head.headers['content-length']]).toEqual([200, 0, String(picture.length)])
  })

  it('has thumbnails of a few sizes, each made once', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => raw(`${path}?s=64`)))
    for (const { status, headers, body } of made) {
      expect([status, headers['content-type']]).toEqual([200, 'image/webp'])
      expect(body.equals(made[0]?.body as Buffer)).toBe(true)
    }
    expect(await sharp(made[0]?.body).metadata()).toMatchObject({ format: 'webp', width: 64, height: 64 })
    expect((await raw(`${path}?s=65`)).body.equals(picture)).toBe(true)
  })

  it('has no thumbnails of thumbnails, nor any by their own address', async () => {
    const kept = `/uploads/thumbnails/64/${NAME}.webp`
    expect(existsSync(join(site.dataDir, kept))).toBe(true)
    expect([(await raw(kept)).status, (await raw(`${kept}?s=32`)).status]).toEqual([404, 404])
    expect(existsSync(join(site.dataDir, 'uploads/thumbnails/32'))).toBe(false)
  })

  it('that is no picture is shown as it is; of more pictures than the site can make small, some are put off', async () => {
    store('post/broken.png', 'no picture')
    expect((await raw('/uploads/post/broken.png?s=64')).body.toString()).toBe('no picture')
    for (let n = 0; n < 60; n++) store(`post/many-${n}.png`, picture)
    const made = await Promise.all(Array.from({ length: 60 }, (_, n) => raw(`/uploads/post/many-${n}.png?s=32`)))
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set([200, 503]))
    const [later] = made.filter(({ status }) => status === 503)
    expect([later?.headers['retry-after'], later?.headers['cache-control']]).toEqual(['5', 'no-store'])
  })

  it('is nothing where nothing can be stored', async () => {
    for (const other of [
      '/uploads/',
      '/uploads/post',
      '/uploads/a%20b.png',
      `/uploads/${'a'.repeat(400)}.png`,
      '/uploads/%',
      '/uploads/post%2f..%2f..%2fstoa.db',
      '/uploads//etc/passwd',
      '/uploads/a%00.png',
      '/uploads/.x',
    ]) {
      const { status, body } = await raw(other)
      expect(status, other).toBe(404)
      expect(JSON.parse(body.toString()), other).toMatchObject({ code: 404 })
    }
    expect((await raw(path, {}, 'DELETE')).status).toBe(405)
  })

  it('of a private site is for its members; a cookie that cannot be decoded is nobody', async () => {
    const admin = await site.admin()
    const settings = (await admin.get<Record<string, unknown>>('/answer/admin/api/siteinfo/login')).data
    await admin.put('/answer/admin/api/siteinfo/login', { ...settings, login_required: true })
    try {
      for (const cookie of ['visit=%', 'visit=%E4%B8', 'visit=', 'a=1; visit=x%; b'])
        expect((await raw(path, { cookie })).status, cookie).toBe(302)
    } finally {
      await admin.put('/answer/admin/api/siteinfo/login', settings)
    }
    expect((await raw(path)).status).toBe(200)
  })
})

describe('a connection that sends and does not read', () => {
  const request = `GET /uploads/${NAME} HTTP/1.1\r\nHost: site\r\n\r\n`
  const opened = () =>
    new Promise<Socket>((resolve, reject) => {
      const socket = connect(port(), '127.0.0.1', () => resolve(socket)).once('error', reject)
    })
  const memory = () => process.memoryUsage().rss
  const openFiles = () => (existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd').length : 0)

  it('has one reply in memory, whatever it asks for', async () => {
    const [before, filesBefore] = [memory(), openFiles()]
    const socket = await opened()
    socket.pause()
    socket.write(request.repeat(500))
    // Others are served meanwhile; by then the server has seen all that was sent.
    for (let n = 0; n < 3; n++) expect((await raw(`/uploads/${NAME}`)).status).toBe(200)
    expect((memory() - before) / MB).toBeLessThan(150)
    expect(openFiles() - filesBefore).toBeLessThan(20)
    socket.destroy()
  })

  it('gets every reply, in order, once it reads', async () => {
    const socket = await opened()
    let received = 0
    const done = new Promise<void>((resolve) => socket.on('close', resolve))
    socket.pause()
    socket.write(`${request.repeat(40)}GET /healthz HTTP/1.1\r\nHost: site\r\nConnection: close\r\n\r\n`)
    let last = ''
    socket.on('data', (chunk: Buffer) => {
      received += chunk.length
      last = chunk.toString('latin1').slice(-200)
    })
    socket.resume()
    await done
    expect(received).toBeGreaterThan(40 * picture.length)
    expect(last).toMatch(/\r\n\r\n(2\r\n)?ok/)
  })
})
