import { request } from 'node:http'
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
  route({ method: 'GET', path: '/toy/page', access: 'open', summary: 'x', reply: Type.Unknown(), handle: ({ query }) => query,
    query: Type.Object({ page: Type.Integer({ minimum: 1, default: 1 }), order: Type.Optional(Type.Enum(['up', 'down'])), days: Type.Optional(Type.Integer({ minimum: 0 })) }) }),
  get('/toy/ip', ({ ip }) => ip)])`,
}

/** Sends a path exactly as given; `fetch` would tidy it. */
function raw(
  url: string,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { path, method: options.method ?? 'GET', headers: options.headers ?? {} }, (response) => {
      let body = ''
      response
        .on('data', (chunk) => {
          body += chunk
        })
        .on('end', () => resolve({ status: response.statusCode ?? 0, body }))
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

  it('is something else than a member of another JSON type, which refuses the whole request', async () => {
    site = await startToySite({ echo })
    await site.switch('echo', true)
    for (const reply of [await site.call('POST', '/toy/form', { name: 7 }), await site.call('GET', '/toy/page?page=x')]) {
      expect(reply).toMatchObject({ status: 400, reason: 'base.request_format_error', data: null })
    }
    expect(fields((await site.call('GET', '/toy/page?order=sideways')).data)).toEqual(['order'])
  })
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
