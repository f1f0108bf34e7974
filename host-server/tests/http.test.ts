import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { ToySite } from './toys.ts'
import { startToySite } from './toys.ts'

let site: ToySite
afterEach(() => site.close())

const echo = {
  activate: `ctx.routes([
  route({ method: 'POST', path: '/toy/echo', access: 'open', summary: 'x', body: Type.Object({ words: Type.Optional(Type.Array(Type.String())) }), reply: Type.Unknown(), handle: ({ body }) => body }),
  route({ method: 'POST', path: '/toy/once', access: 'active', summary: 'x', duplicateGuard: true, body: Type.Object({ word: Type.String() }), reply: Type.Unknown(),
    handle: ({ body }) => { if (body.word === 'fail') throw new Error('failed'); return body.word } }),
  route({ method: 'POST', path: '/toy/form', access: 'open', summary: 'x', reply: Type.Unknown(), handle: ({ body }) => body,
    body: Type.Object({ name: Type.String({ minLength: 1 }), size: Type.Integer({ default: 3 }), note: Type.Optional(Type.Union([Type.String(), Type.Null()])) }) }),
  route({ method: 'POST', path: '/toy/lists', access: 'open', summary: 'x', reply: Type.Unknown(), handle: ({ body }) => body,
    body: Type.Object({ words: Type.Array(Type.String()), more: Type.Optional(Type.Array(Type.String())) }) }),
  route({ method: 'GET', path: '/toy/page', access: 'open', summary: 'x', reply: Type.Unknown(), handle: ({ query }) => query,
    query: Type.Object({ page: Type.Integer({ minimum: 1, default: 1 }), order: Type.Optional(Type.Enum(['up', 'down'])), days: Type.Optional(Type.Integer({ minimum: 0 })), all: Type.Optional(Type.Boolean()) }) }),
  route({ method: 'GET', path: '/toy/named/:name', access: 'open', summary: 'x', params: Type.Object({ name: Type.String() }), reply: Type.Unknown(), handle: ({ params }) => params }),
  route({ method: 'GET', path: '/toy/numbered/:id', access: 'open', summary: 'x', params: Type.Object({ id: Type.Integer() }), reply: Type.Unknown(), handle: ({ params }) => params }),
  route({ method: 'POST', path: '/toy/numbers', access: 'open', summary: 'x', reply: Type.Unknown(), handle: ({ body }) => body,
    body: Type.Object({ id: Type.Optional(Type.Union([Type.Integer(), Type.String()])), sizes: Type.Optional(Type.Array(Type.Object({ size: Type.Integer() }))), share: Type.Optional(Type.Number()) }) }),
  get('/toy/ip', ({ ip }) => ip)])`,
}

/** Sends a path exactly as given; `fetch` would tidy it. */
function raw(
  url: string,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<{ status: number; body: string; headers: IncomingHttpHeaders }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { path, method: options.method ?? 'GET', headers: options.headers ?? {} }, (response) => {
      let body = ''
      response
        .on('data', (chunk) => {
          body += chunk
        })
        .on('end', () => resolve({ status: response.statusCode ?? 0, body, headers: response.headers }))
    })
    sent.on('error', reject).end(options.body)
  })
}

describe('a bad request', () => {
  it('is answered in the envelope, whatever is wrong with it', async () => {
    site = await startToySite({ echo })
    await site.switch('echo', true)
    const json = { 'content-type': 'application/json' }
    const replies = await Promise.all([
      raw(site.kernel.url, '/toy/echo', { method: 'POST', headers: json, body: '{"words":' }),
      raw(site.kernel.url, '/toy/echo', { method: 'POST', headers: json, body: '{"words":[null]}' }),
      raw(site.kernel.url, '/toy/echo', { method: 'POST', headers: json, body: '[]' }),
      raw(site.kernel.url, '/toy/echo', { method: 'POST', headers: { 'content-type': 'application/x-thing' }, body: 'x' }),
      raw(site.kernel.url, '/toy/echo', { method: 'POST', headers: json, body: `{"__proto__":{"admin":true}}` }),
    ])
    for (const reply of replies) {
      expect(reply.status, reply.body).toBe(400)
      expect(JSON.parse(reply.body)).toMatchObject({ code: 400, reason: 'base.request_format_error' })
    }
    expect(JSON.parse((replies[1] as { body: string }).body).data).toMatchObject([{ error_field: 'words' }])
  })

  it('has a character in its path that no text of a database can have', async () => {
    site = await startToySite({ echo })
    await site.switch('echo', true)
    expect((await site.call('GET', '/toy/named/caf%C3%A9')).data).toEqual({ name: 'café' })
    for (const name of ['%00', 'a%00b']) {
      const reply = await site.call('GET', `/toy/named/${name}`)
      expect(reply, name).toMatchObject({ status: 400, reason: 'base.request_format_error' })
    }
  })

  it('has a whole number that neither JSON nor a database keeps exactly, wherever it stands', async () => {
    site = await startToySite({ echo })
    await site.switch('echo', true)
    const highest = Number.MAX_SAFE_INTEGER
    const kept = { id: highest, sizes: [{ size: -highest }], share: 1e300 }
    expect((await site.call('POST', '/toy/numbers', kept)).data).toEqual(kept)
    expect((await site.call('GET', `/toy/numbered/${highest}`)).data).toEqual({ id: highest })
    for (const size of [2 ** 63, 1e300, -1e300]) {
      expect((await site.call('POST', '/toy/numbers', { id: size })).data, `${size}`).toMatchObject([{ error_field: 'id' }])
      expect((await site.call('POST', '/toy/numbers', { sizes: [{ size }] })).data, `${size}`).toMatchObject([{ error_field: 'sizes' }])
      expect((await site.call('GET', `/toy/numbered/${size}`)).data, `${size}`).toMatchObject([{ error_field: 'id' }])
    }
  })

  it('takes JSON only where it says so: a form of another site sends text without asking', async () => {
    site = await startToySite({ echo })
    await site.switch('echo', true)
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'text/plain; charset=utf-8']) {
      const reply = await raw(site.kernel.url, '/toy/echo', { method: 'POST', headers: { 'content-type': type }, body: '{"words":["a"]}' })
      expect(reply.status, type).toBe(400)
      expect(JSON.parse(reply.body)).toMatchObject({ reason: 'base.request_format_error', data: null })
    }
  })

  it('is none of a path or name below the uploads that no file can have', async () => {
    site = await startToySite({ echo })
    const names = ['a%20b.png', `${'x'.repeat(400)}.png`, `post/${'x'.repeat(280)}.png`, 'a%00b.png', '%', 'a..b.png', 'caf%C3%A9.png']
    for (const name of names) expect((await raw(site.kernel.url, `/uploads/${name}`)).status, name).toBe(404)
    await site.kernel.data.site.set({ isPrivate: true })
    const visits = await raw(site.kernel.url, '/uploads/post/a.png', { headers: { cookie: 'visit=%' } })
    expect(visits.status).toBe(302)
    expect(site.logged.filter((line) => line.startsWith('error'))).toEqual([])
  })

  it('has a long name or a slash at the end of its path, which changes nothing', async () => {
    site = await startToySite({ echo })
    await site.switch('echo', true)
    const name = 'x'.repeat(400)
    expect(await site.call('GET', `/toy/named/${name}`)).toMatchObject({ status: 200, data: { name } })
    expect(await site.call('GET', '/toy/named/ann/')).toMatchObject({ status: 200, data: { name: 'ann' } })
    expect(await site.call('POST', '/toy/echo/?x=1', { words: ['a'] })).toMatchObject({ status: 200, data: { words: ['a'] } })
    for (const path of [`/toy/named/${'x'.repeat(501)}`, '/toy/named/', '/toy/named/a/b', '/toy//page']) {
      expect(await site.call('GET', path), path).toMatchObject({ status: 404, reason: 'base.route_not_found' })
    }
  })

  it('with a path that cannot be decoded is nobody’s', async () => {
    site = await startToySite({ echo })
    for (const path of ['/%', '/toy/%ff', '/uploads/%2e%2e/stoa.db', '/uploads/../stoa.db', '/uploads/.hidden']) {
      expect((await raw(site.kernel.url, path)).status, path).toBe(404)
    }
  })

  it('whose body is too large is refused before it is read', async () => {
    site = await startToySite({ echo })
    await site.switch('echo', true)
    expect((await site.call('POST', '/toy/echo', { words: ['x'.repeat(2_000_000)] })).status).toBe(400)
  })

  it('is as large as the schema of its call can be, unless the call says more', async () => {
    const named = `access: 'open', summary: 'x', reply: Type.Unknown(), body: Type.Object({ name: Type.String({ maxLength: 20 }) }), handle: ({ body }) => body.name`
    site = await startToySite({
      sized: {
        activate: `ctx.routes([
          route({ method: 'POST', path: '/toy/short', ${named} }),
          route({ method: 'POST', path: '/toy/long', bodyLimit: 100_000, ${named} })])`,
      },
    })
    await site.switch('sized', true)
    const body = { name: '名'.repeat(20), more: 'x'.repeat(50_000) }
    expect(await site.call('POST', '/toy/short', body)).toMatchObject({ status: 400, reason: 'base.body_too_large' })
    expect(await site.call('POST', '/toy/long', body)).toMatchObject({ status: 200, data: body.name })
    expect((await site.call('POST', '/toy/short', { name: body.name })).status).toBe(200)
    // So many of them would fit by their bytes.
    const junk = { ...body, more: Array.from({ length: 10_000 }, () => ({})) }
    expect((await site.call('POST', '/toy/long', junk)).status).toBe(400)
    expect((await site.call('POST', '/toy/long', { ...body, more: '{},"'.repeat(10_000) })).status).toBe(200)
  })

  it('has a signal that tells when its caller has gone, not when its body was read', async () => {
    site = await startToySite({
      waiting: {
        activate: `const heard = Promise.withResolvers()
          const begun = Promise.withResolvers()
          ctx.routes([
            route({ method: 'POST', path: '/toy/wait', access: 'open', summary: 'x', reply: Type.Unknown(), body: Type.Object({}),
              handle: ({ signal }) => { begun.resolve(signal); signal.addEventListener('abort', heard.resolve); return heard.promise } }),
            get('/toy/begun', () => begun.promise.then(() => 'begun')),
            get('/toy/aborted', () => begun.promise.then((signal) => signal.aborted)),
            get('/toy/heard', () => heard.promise.then(() => 'gone'))])`,
      },
    })
    await site.switch('waiting', true)
    const caller = new AbortController()
    const { signal } = caller
    const headers = { 'content-type': 'application/json' }
    const waiting = fetch(`${site.kernel.url}/toy/wait`, { method: 'POST', headers, body: '{"a":1}', signal }).catch(() => 'aborted')
    expect((await site.call('GET', '/toy/begun')).data).toBe('begun')
    expect((await site.call('GET', '/toy/aborted')).data).toBe(false)
    caller.abort()
    expect(await waiting).toBe('aborted')
    expect((await site.call('GET', '/toy/heard')).data).toBe('gone')
  })
})

describe('a form without scripts', () => {
  const plain = {
    activate: `const named = { access: 'open', summary: 'x', reply: Type.Unknown() }
ctx.routes([
  route({ ...named, method: 'PUT', path: '/toy/:kind/note', params: Type.Object({ kind: Type.String() }), form: { to: (data) => '?saved=' + data.size + '#note', keeps: ['text'], bodyLimit: 2000 },
    body: Type.Object({ text: Type.String({ minLength: 2 }), size: Type.Optional(Type.Integer()), isPublic: Type.Optional(Type.Boolean()), words: Type.Optional(Type.Array(Type.String())) }),
    handle: ({ body, params, person, language }) => { seen.push({ ...body, kind: params.kind, person: person?.id ?? null, language }); return { size: body.size } } }),
  route({ ...named, method: 'POST', path: '/toy/mine', access: 'active', form: { to: '/mine', keeps: [] }, limit: { action: 'mine', max: 2, seconds: 60 }, body: Type.Object({ secret: Type.String({ minLength: 8 }) }),
    handle: ({ person }, reply) => { seen.push(person.id); reply.cookie('kept', 'yes') } }),
  route({ ...named, method: 'POST', path: '/toy/calls-only', body: Type.Object({}), handle: () => { seen.push('never') } }),
  route({ ...named, method: 'POST', path: '/toy/lost', form: { to: () => { throw new Error('no way') } }, body: Type.Object({}), handle: () => { seen.push('done') } }),
  route({ ...named, method: 'POST', path: '/toy/unsure', form: { check: () => { throw new Error('no idea') } }, body: Type.Object({}), handle: () => { seen.push('never') } }),
  get('/toy/seen', () => seen)])
const seen = []`,
  }
  const type = 'application/x-www-form-urlencoded'
  const send = (path: string, fields: string | Record<string, string>, headers: Record<string, string> = {}) =>
    raw(site.kernel.url, `/stoa/form${path}`, {
      method: 'POST',
      headers: { 'content-type': type, origin: site.kernel.url, 'sec-fetch-site': 'same-origin', ...headers },
      body: String(new URLSearchParams(fields)),
    })
  const seen = async () => (await site.call('GET', '/toy/seen')).data
  const start = async () => {
    site = await startToySite({ plain })
    await site.switch('plain', true)
  }

  it('is the call it names, read by the schema of that, and leads on', async () => {
    await start()
    const body = 'text=one%0D%0Atwo&size=7&isPublic=on&words=a&words=b&admin=true&__proto__=x&stoa%3Aat=%2Fnotes%2F1%3Fpage%3D2'
    const reply = await send('/toy/big/note', body, { cookie: 'stoa_lang=zh_CN' })
    expect([reply.status, reply.headers.location]).toEqual([303, '/notes/1?saved=7#note'])
    expect(await seen()).toEqual([
      { text: 'one\ntwo', size: 7, isPublic: true, words: ['a', 'b'], kind: 'big', person: null, language: expect.any(String) },
    ])
    expect((await send('/toy/big/note', { text: 'hm', size: '', 'stoa:to': '/elsewhere' })).headers.location).toBe('/elsewhere')
  })

  it('is taken from pages of this site only', async () => {
    await start()
    const token = await site.token()
    const cookie = `stoa_session=${token}`
    const other = new URL(site.kernel.url)
    other.port = '1'
    const hostile: Record<string, string | undefined>[] = [
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example', 'sec-fetch-site': undefined },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: '' },
      { origin: other.origin, 'sec-fetch-site': undefined },
      { origin: `${site.kernel.url}.evil.example`, 'sec-fetch-site': undefined },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { origin: undefined, 'sec-fetch-site': 'cross-site' },
      { origin: undefined, 'sec-fetch-site': undefined },
    ]
    for (const headers of hostile) {
      const all = { 'content-type': type, origin: site.kernel.url, 'sec-fetch-site': 'same-origin', cookie, ...headers }
      const given = Object.fromEntries(Object.entries(all).filter((row): row is [string, string] => row[1] !== undefined))
      const reply = await raw(site.kernel.url, '/stoa/form/toy/mine', { method: 'POST', headers: given, body: 'secret=long-enough' })
      expect([reply.status, reply.headers['set-cookie']], JSON.stringify(headers)).toEqual([403, undefined])
      const session = await raw(site.kernel.url, '/stoa/session', {
        method: 'POST',
        headers: { ...given, 'content-type': 'application/json' },
      })
      expect(JSON.parse(session.body).data, JSON.stringify(headers)).toEqual({ access_token: null })
    }
    expect(await seen()).toEqual([])
    const mine = await send('/toy/mine', { secret: 'long-enough' }, { cookie })
    expect([mine.status, mine.headers.location, String(mine.headers['set-cookie'])]).toEqual([
      303,
      '/mine',
      expect.stringMatching(/^kept=yes/),
    ])
    expect(await seen()).toHaveLength(1)
    const headers = { 'content-type': 'application/json', origin: site.kernel.url, 'sec-fetch-site': 'same-origin', cookie }
    const session = await raw(site.kernel.url, '/stoa/session', { method: 'POST', headers })
    expect(JSON.parse(session.body).data).toEqual({ access_token: token })
  })

  it('asks who sends it by the cookie alone', async () => {
    await start()
    expect((await send('/toy/mine', { secret: 'long-enough' }, { authorization: await site.token() })).status).toBe(401)
    expect((await send('/toy/mine', { secret: 'long-enough' }, { cookie: 'stoa_session=made-up' })).status).toBe(401)
    expect(await seen()).toEqual([])
  })

  it('is only there where its call says so, as a form, and of bounded size', async () => {
    await start()
    for (const path of ['/toy/calls-only', '/toy/none', '', '/stoa/form/toy/mine', '/answer/api/v1/plugin/status'])
      expect((await send(path, {})).status, path).toBe(404)
    for (const wrong of ['application/json', 'multipart/form-data', 'text/plain'])
      expect((await send('/toy/big/note', { text: 'hm' }, { 'content-type': wrong })).status, wrong).toBe(400)
    expect((await send('/toy/big/note', { text: 'x'.repeat(7000) })).status).toBe(400)
    const unsaid = await raw(site.kernel.url, '/stoa/form/toy/big/note', {
      method: 'POST',
      headers: { 'content-type': type, origin: site.kernel.url, 'transfer-encoding': 'chunked' },
      body: `text=${'x'.repeat(500_000)}`,
    }).catch(() => ({ status: 400 }))
    expect(unsaid.status).toBe(400)
    expect(await seen()).toEqual([])
    expect((await raw(site.kernel.url, '/stoa/form/toy/mine')).headers.location).toBe('/')
  })

  it('whose plugin fails beside its call is done or refused, and the fault is that plugin’s', async () => {
    await start()
    const lost = await send('/toy/lost', { 'stoa:at': '/notes/1' })
    expect([lost.status, lost.headers.location]).toEqual([303, '/notes/1'])
    expect((await send('/toy/unsure', {})).status).toBe(500)
    expect(await seen()).toEqual(['done'])
    const rows = (await site.admin('GET', '/answer/admin/api/plugins')).data as { slug_name: string; faults: object }[]
    expect(rows.find(({ slug_name }) => slug_name === 'plain')?.faults).toMatchObject({
      count: 2,
      last: { where: '/stoa/form/toy/unsure' },
    })
  })

  it('carries what nobody types in one field, which weighs no more than others', async () => {
    await start()
    const lost = await send('/toy/lost', { 'stoa:with': 'stoa:at=%2Fnotes%2F1' })
    expect(lost.headers.location).toBe('/notes/1')
    expect((await send('/toy/big/note', {})).status).toBe(400)
    expect((await send('/toy/big/note', { 'stoa:with': 'text=hm' })).status).toBe(303)
    const away = await send('/toy/big/note', { 'stoa:with': 'text=hm&stoa%3Ato=%2F%2Fevil.example' })
    expect(away.headers.location).toMatch(/^\/\?saved=/)
  })

  it('leads nowhere else', async () => {
    await start()
    for (const to of [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example/',
      '/\t/evil.example',
      '/.//evil.example',
      'javascript:1',
      '/toy/../..//evil.example',
      '/stoa/map',
      '/answer/api/v1/user/logout',
    ]) {
      const reply = await send('/toy/big/note', { text: 'hm', 'stoa:to': to, 'stoa:at': to })
      expect(reply.status, to).toBe(303)
      expect(reply.headers.location, to).toMatch(/^\/\?saved=/)
    }
    expect((await send('/toy/big/note', { text: 'hm', 'stoa:at': '/a\r\nset-cookie: x=y' })).headers['set-cookie']).toBeUndefined()
  })
})

describe('what clients leave out', () => {
  const fields = (data: { error_field: string }[] | null) => data?.map((entry) => entry.error_field) ?? null

  it('may come as null, as an empty parameter, or as 0 where counting begins at 1', async () => {
    site = await startToySite({ echo })
    await site.switch('echo', true)
    const page = async (query: string) => (await site.call('GET', `/toy/page?${query}`)).data
    expect(await page('page=&order=&days=')).toEqual({ page: 1 })
    expect(await page('page=0&days=0')).toEqual({ page: 1, days: 0 })
    expect(fields(await page('page=-1'))).toEqual(['page'])
    const form = async (body: object) => (await site.call('POST', '/toy/form', body)).data
    expect(await form({ name: 'x', size: null, note: null })).toEqual({ name: 'x', size: 3, note: null })
    expect(fields(await form({ name: null }))).toEqual(['name'])
  })

  it('is no list that is demanded: null there is how some languages write an empty one', async () => {
    site = await startToySite({ echo })
    await site.switch('echo', true)
    const lists = async (body: object) => (await site.call('POST', '/toy/lists', body)).data
    expect(await lists({ words: null, more: null })).toEqual({ words: [] })
    expect(fields(await lists({}))).toEqual(['words'])
  })

  it('is something else than a member of another JSON type, which refuses the whole request', async () => {
    site = await startToySite({ echo })
    await site.switch('echo', true)
    for (const reply of [await site.call('POST', '/toy/form', { name: 7 }), await site.call('GET', '/toy/page?page=x')]) {
      expect(reply).toMatchObject({ status: 400, reason: 'base.request_format_error', data: null })
    }
    expect(fields((await site.call('GET', '/toy/page?order=sideways')).data)).toEqual(['order'])
  })
})

it('reads a boolean as any language prints it, and of a parameter that comes twice the first', async () => {
  site = await startToySite({ echo })
  await site.switch('echo', true)
  const page = async (query: string) => (await site.call('GET', `/toy/page?${query}`)).data
  for (const all of ['true', 'True', 'TRUE', '1', 't']) expect(await page(`all=${all}`), all).toEqual({ page: 1, all: true })
  for (const all of ['false', 'False', '0', 'f']) expect(await page(`all=${all}`), all).toEqual({ page: 1, all: false })
  expect(await site.call('GET', '/toy/page?all=maybe')).toMatchObject({ status: 400, reason: 'base.request_format_error' })
  expect(await page('page=2&page=3&order=up&order=down')).toEqual({ page: 2, order: 'up' })
})

it('says of a body that is too large that it is, and not that a file was', async () => {
  site = await startToySite({ echo })
  await site.switch('echo', true)
  const reply = await site.call('POST', '/toy/form', { name: 'x'.repeat(2_000_000) })
  expect(reply).toMatchObject({ status: 400, reason: 'base.body_too_large', data: null })
})

describe('the same body twice', () => {
  it('is refused, unless the first try failed', async () => {
    site = await startToySite({ echo })
    await site.switch('echo', true)
    expect((await site.admin('POST', '/toy/once', { word: 'a' })).status).toBe(200)
    expect(await site.admin('POST', '/toy/once', { word: 'a' })).toMatchObject({
      status: 400,
      reason: 'base.duplicate_request_error',
      data: null,
    })
    expect((await site.admin('POST', '/toy/once', { word: 'b' })).status).toBe(200)
    expect((await site.admin('POST', '/toy/once', { word: 'fail' })).status).toBe(500)
    expect((await site.admin('POST', '/toy/once', { word: 'fail' })).status).toBe(500)
  })
})

describe('an address', () => {
  it('is taken from a forwarding header only where the proxy is trusted', async () => {
    site = await startToySite({ echo })
    await site.switch('echo', true)
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    expect(JSON.parse((await raw(site.kernel.url, '/toy/ip', { headers })).body).data).toBe('127.0.0.1')
    await site.close()
    site = await startToySite({ echo }, { trustProxy: ['127.0.0.1'] })
    await site.switch('echo', true)
    expect(JSON.parse((await raw(site.kernel.url, '/toy/ip', { headers })).body).data).toBe('203.0.113.9')
  })

  it('that floods the site with writes is slowed, and others are not', async () => {
    site = await startToySite({ echo }, { rateLimits: true, trustProxy: ['127.0.0.1'] })
    await site.switch('echo', true)
    const post = (from: string) =>
      raw(site.kernel.url, '/toy/echo', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
        body: '{}',
      })
    const statuses = new Set<number>()
    for (let i = 0; i < 320; i++) statuses.add((await post('203.0.113.9')).status)
    expect([...statuses].sort()).toEqual([200, 429])
    expect((await post('203.0.113.10')).status).toBe(200)
  })
})

describe('security headers', () => {
  it('stand on every reply, and no reply of a call may run anything', async () => {
    site = await startToySite({ echo })
    for (const path of ['/answer/api/v1/plugin/status', '/nothing', '/healthz']) {
      const response = await fetch(site.kernel.url + path)
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    }
    expect((await fetch(`${site.kernel.url}/answer/api/v1/plugin/status`)).headers.get('content-security-policy')).toContain(
      "default-src 'none'",
    )
  })
})

describe('which plugins are on', () => {
  it('is asked again with the ETag, and told anew once one was switched', async () => {
    site = await startToySite({ echo })
    const ask = async (headers: Record<string, string> = {}, method = 'GET') =>
      raw(site.kernel.url, '/answer/api/v1/plugin/status', { method, headers })
    const first = await ask()
    const etag = first.headers.etag as string
    expect([first.status, etag, first.headers['cache-control']]).toEqual([200, `"${site.kernel.plugins.epoch}"`, 'no-cache'])
    for (const method of ['GET', 'HEAD']) {
      const same = await ask({ 'if-none-match': `"other", W/${etag}` }, method)
      expect([same.status, same.body, same.headers.etag, same.headers['content-type']]).toEqual([304, '', etag, undefined])
    }
    await site.switch('echo', true)
    const after = await ask({ 'if-none-match': etag })
    expect([after.status, JSON.parse(after.body).data]).toEqual([200, [{ slug_name: 'echo', enabled: true }]])
  })
})

describe('a reply', () => {
  const shown = (reply: string, given: string) =>
    `route({ method: 'GET', path: '/toy/shown', access: 'open', summary: 'x', reply: ${reply}, handle: () => (${given}) })`
  const ask = async (reply: string, given: string, options: { checkReplies?: boolean } = {}) => {
    site = await startToySite({ show: { activate: `ctx.routes([${shown(reply, given)}])` } }, options)
    await site.switch('show', true)
    return await site.call('GET', '/toy/shown')
  }

  it('that misses a member, has another type or one more is refused in tests and named in the log', async () => {
    const list = 'Type.Object({ list: Type.Array(Type.Object({ n: Type.Integer(), at: Type.Optional(Type.Integer()) })) })'
    expect((await ask(list, "{ list: [{ n: 1 }, { n: '2' }, { n: 3, extra: true }, {}] }", { checkReplies: true })).status).toBe(500)
    const [said = ''] = site.logged.filter((line) => line.startsWith('error show'))
    expect(said).toContain('GET /toy/shown')
    for (const found of ['data.list[1].n must be integer, found "2"', 'data.list[2].extra is not named', 'data.list[3].n is missing'])
      expect(said).toContain(found)
  })

  it('may leave out what is optional, and is what JSON makes of it', async () => {
    const schema =
      'Type.Object({ n: Type.Integer(), at: Type.Optional(Type.Integer()), any: Type.Object({}, { additionalProperties: true }) })'
    expect((await ask(schema, '{ n: 1, at: undefined, any: { b: 2 } }', { checkReplies: true })).status).toBe(200)
  })

  it('goes out as it is where nobody could mend it', async () => {
    expect(await ask('Type.Object({ n: Type.Integer() })', "{ n: 'one', more: 2 }")).toMatchObject({
      status: 200,
      data: { n: 'one', more: 2 },
    })
  })
})

describe('a cookie of a session', () => {
  it('is not set for a form of another site', async () => {
    site = await startToySite({
      keep: {
        activate: `ctx.routes([route({ method: 'POST', path: '/toy/keep', access: 'open', summary: 'x', reply: Type.Null(),
          handle: (_, reply) => void reply.cookie('stoa_session', 'one') })])`,
      },
    })
    await site.switch('keep', true)
    const setBy = async (headers: Record<string, string>) =>
      (await fetch(`${site.kernel.url}/toy/keep`, { method: 'POST', headers })).headers.get('set-cookie')
    expect(await setBy({})).toContain('stoa_session=one')
    expect(await setBy({ 'sec-fetch-site': 'same-origin' })).toContain('stoa_session=one')
    expect(await setBy({ origin: site.kernel.url })).toContain('stoa_session=one')
    expect(await setBy({ 'sec-fetch-site': 'cross-site' })).toBeNull()
    expect(await setBy({ origin: 'https://elsewhere.example' })).toBeNull()
    expect(await setBy({ origin: 'null' })).toBeNull()
  })
})

describe('limits of a call', () => {
  const uploads = (extra: string) => ({
    take: {
      activate: `let read = 0
        ctx.routes([
          route({ method: 'POST', path: '/toy/take', access: 'open', summary: 'x', reply: Type.Any(), upload: { maxBytes: async () => 1000 }, ${extra}
            handle: ({ file }) => ({ name: file.name, size: file.size, text: file.data.toString(), fields: file.fields }) }),
        ])`,
    },
  })
  const form = (size: number) => {
    const body = new FormData()
    body.set('source', 'post')
    body.set('file', new File(['x'.repeat(size)], 'a.txt'))
    return body
  }
  const onDisk = () => (existsSync(join(site.dataDir, 'incoming')) ? readdirSync(join(site.dataDir, 'incoming')) : [])

  it('hold before the body is read: who may not send it is told at once', async () => {
    site = await startToySite(
      uploads("before: () => { throw Object.assign(new Error('no'), { name: 'CodedError', code: 'toy.no', status: 403, params: {} }) },"),
    )
    await site.switch('take', true)
    // The body never comes; the reply does.
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(`${site.kernel.url}/toy/take`, {
        method: 'POST',
        headers: { 'content-type': 'multipart/form-data; boundary=x', 'content-length': '500000000' },
      })
      sent.on('response', (response) => {
        resolve(response.statusCode)
        sent.destroy()
      })
      sent.on('error', reject).flushHeaders()
    })
    expect(status).toBe(403)
  })

  it('refuse a file that is too large, by what it says of itself or while it comes, and leave nothing on the disk', async () => {
    site = await startToySite(uploads(''))
    await site.switch('take', true)
    const send = async (body: FormData | ReadableStream, headers: Record<string, string> = {}) =>
      (await fetch(`${site.kernel.url}/toy/take`, { method: 'POST', body, headers, duplex: 'half' } as RequestInit)).json()
    expect(await send(form(999))).toMatchObject({ data: { name: 'a.txt', size: 999, text: 'x'.repeat(999), fields: { source: 'post' } } })
    const refused = { code: 400, data: [{ error_field: 'file' }] }
    expect(await send(form(1001))).toMatchObject(refused)
    expect(await send(form(500_000))).toMatchObject(refused)
    const { body, headers } = new Response(form(500_000))
    expect(await send(body as ReadableStream, { 'content-type': headers.get('content-type') as string })).toMatchObject(refused)
    expect(onDisk()).toEqual([])
  })

  it('clear away at the start what a process that was killed had taken', async () => {
    site = await startToySite(uploads(''))
    const folder = join(site.dataDir, 'incoming')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'old'), 'x')
    writeFileSync(join(folder, 'new'), 'x')
    utimesSync(join(folder, 'old'), new Date(0), new Date(0))
    await site.restart()
    await expect.poll(onDisk).toEqual(['new'])
  })

  it('count the calls of each person or address', async () => {
    site = await startToySite(
      {
        count: {
          activate: `ctx.routes([route({ method: 'POST', path: '/toy/count', access: 'open', summary: 'x', reply: Type.Null(),
            limit: { action: 'count', max: 2, seconds: 60 }, handle: () => null })])`,
        },
      },
      { rateLimits: true },
    )
    await site.switch('count', true)
    const statuses = []
    for (let i = 0; i < 3; i++) statuses.push((await site.call('POST', '/toy/count', {})).status)
    expect(statuses).toEqual([200, 200, 429])
  })
})
