import type { Query, Site, TestPerson } from '@stoa/sdk/testing'
import { startSite, testPerson } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Story } from '../support/story.ts'
import { FIRST_BADGE, tellStory } from '../support/story.ts'
import { apiDocument } from '../support/surface.ts'

interface Schema {
  type?: string
  format?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
}
interface Operation {
  parameters: { name: string; in: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}
interface Call {
  method: string
  path: string
  query: Record<string, Schema>
  body: Record<string, Schema> | undefined
  /** The body is one of several: what is wrong in it need not be said at a member. */
  isOneOf: boolean
}

/** Members of a body, of all its forms where it has several. */
const membersOf = ({ properties, anyOf, allOf }: Schema): Record<string, Schema> | undefined =>
  properties ?? (anyOf || allOf ? Object.assign({}, ...(anyOf ?? allOf ?? []).map(membersOf)) : undefined)

/** Would end the session that asks. */
const LEFT_OUT = ['GET /answer/api/v1/user/logout', 'POST /answer/api/v1/user/logout']

const texts = [
  'nonsense',
  "1' or '1'='1",
  '%_\\',
  '"<script>',
  'x\u0000y',
  '😀'.repeat(300),
  'x'.repeat(8000),
  '-1',
  '1.5',
  'NaN',
  '1e400',
  '9007199254740993',
  '99999999999999999999999999',
  '10010000000009999',
  '10030000000000001',
  '10990000000000001',
  'D1',
  'null',
  '[]',
]
const values: unknown[] = [null, true, -1, 1.5, 2 ** 53, '', ...texts.slice(0, 7), [], [null], [[]], ['x', 5], {}, { id: null }, Array(2000).fill('x')]
const bodies = ['null', '[]', '5', '"x"', '{"a":', '[null]', '{"__proto__":{"id":"1"}}', '['.repeat(50_000), `{"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`]

/** Between 0 and 1, the same in every run. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const choicesOf = (schema: Schema): unknown[] | undefined => schema.enum ?? (schema.anyOf?.every((option) => option.const !== undefined) ? schema.anyOf.map((option) => option.const) : undefined)

describe('whatever is sent', () => {
  let site: Site
  let story: Story
  let calls: Call[]

  beforeAll(async () => {
    site = await startSite()
    story = await tellStory(site)
    const { paths } = await apiDocument(site)
    calls = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .map(([method, found]): Call => {
          const operation = found as unknown as Operation
          const json = operation.requestBody?.content['application/json']?.schema
          const body = json && membersOf(json)
          const query = operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name, schema }) => [name, schema] as const)
          return { method: method.toUpperCase(), path: path.replace('{type}', 'up'), query: Object.fromEntries(query), body, isOneOf: json?.anyOf !== undefined }
        })
        .filter(({ method }) => path.startsWith('/answer/') && !LEFT_OUT.includes(`${method} ${path}`)),
    )
  })
  afterAll(() => site.close())

  /** Something that would do for a member or parameter, by its name or else its type. */
  const usual = (name: string, schema: Schema): unknown => {
    const byName: Record<string, unknown> = {
      id: story.experience.id,
      experience_id: story.experience.id,
      object_id: story.experience.id,
      answer_id: story.answer.id,
      comment_id: story.comment.id,
      tag_id: story.tag.id,
      username: story.username,
      action: 'experience.add',
      name: story.tag.slug,
      q: story.experience.word,
      title: 'A title long enough',
      content: 'Some content that is long enough',
      original_text: 'Some text that is long enough',
      tags: [{ slug_name: story.tag.slug, display_name: 'Guide', original_text: '' }],
      new_revision_id: '2',
      old_revision_id: '1',
      slug_name_list: [story.tag.slug],
      invite_user: [story.username],
      extensions: { nobody: { x: 1 } },
    }
    const choices = choicesOf(schema)
    if (choices) return choices[0]
    if (schema.format === 'email') return 'somebody@example.org'
    if (schema.type === 'integer') return 1
    if (schema.type === 'boolean') return false
    if (schema.type === 'array') return byName[name] ?? []
    if (schema.type === 'object') return byName[name] ?? {}
    return byName[name] ?? 'nonsense'
  }
  const usualOf = (schemas: Record<string, Schema>) => Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, usual(name, schema)]))

  async function send({ method, path }: Call, query: Record<string, unknown>, body?: string, sender = story.admin) {
    const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
    const headers = { 'content-type': 'application/json' }
    const response = await sender.fetch(`${path}?${search}`, { method, ...(body !== undefined && method !== 'GET' && { body, headers }) })
    const text = await response.text()
    // An address for browsers leads on, or says in words what is wrong.
    const isForBrowsers = response.status === 302 || response.headers.get('content-type')?.startsWith('text/plain')
    if (isForBrowsers) return { status: response.status, data: null, problem: response.status >= 500 ? text : undefined }
    const reply = JSON.parse(text) as { code: number; reason: string; msg: string; data: unknown }
    const isWhole = reply.code === response.status && typeof reply.reason === 'string' && typeof reply.msg === 'string' && 'data' in reply
    return { status: response.status, data: reply.data, problem: response.status >= 500 || !isWhole ? `${response.status} ${text.slice(0, 200)}` : undefined }
  }
  const fieldsOf = (data: unknown) => (Array.isArray(data) ? data.map((entry) => entry?.error_field) : [])

  it('as a parameter is answered in the envelope', async () => {
    const wrong: string[] = []
    for (const call of calls.filter(({ method }) => method === 'GET')) {
      for (const name of Object.keys(call.query)) {
        for (const text of texts) {
          const { problem } = await send(call, { ...usualOf(call.query), [name]: text })
          if (problem) wrong.push(`${call.path} ${name}=${text.slice(0, 30)}: ${problem}`)
        }
      }
    }
    expect(wrong).toEqual([])
  }, 120_000)

  it('as one of several words is refused at its field when it is none of them', async () => {
    const wrong: string[] = []
    for (const call of calls) {
      for (const [name, schema] of Object.entries(call.query)) {
        if (!choicesOf(schema)) continue
        const { status, data } = await send(call, { ...usualOf(call.query), [name]: 'unheard-of' })
        if (status !== 400 || !fieldsOf(data).includes(name)) wrong.push(`${call.method} ${call.path} ?${name}: ${status}`)
      }
      for (const [name, schema] of Object.entries(call.isOneOf ? {} : (call.body ?? {}))) {
        if (!choicesOf(schema)) continue
        const other = typeof choicesOf(schema)?.[0] === 'number' ? 987 : 'unheard-of'
        const { status, data } = await send(call, {}, JSON.stringify({ ...usualOf(call.body ?? {}), [name]: other }))
        if (status < 400 || (status === 400 && !fieldsOf(data).includes(name))) wrong.push(`${call.method} ${call.path} ${name}: ${status}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('as the size of a page brings a hundred entries at most', async () => {
    const wrong: string[] = []
    for (const call of calls.filter(({ method }) => method === 'GET')) {
      const name = ['page_size', 'size'].find((known) => known in call.query)
      if (!name) continue
      const order = call.path.endsWith('/search') ? { order: 'newest' } : call.path.endsWith('/badge/awards/page') ? { badge_id: FIRST_BADGE } : {}
      for (const size of ['1000000', '99999999999999999999']) {
        const { status, data } = await send(call, { ...usualOf(call.query), ...order, [name]: size })
        const list = (data as { list?: unknown[] } | null)?.list ?? (Array.isArray(data) ? data : [])
        if ((size === '1000000' && status !== 200) || list.length > 100) wrong.push(`${call.path}: ${status}, ${list.length}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('as a member of a body is answered in the envelope', async () => {
    const wrong: string[] = []
    for (const call of calls) {
      for (const name of Object.keys(call.body ?? {})) {
        for (const value of values) {
          const { problem } = await send(call, {}, JSON.stringify({ ...usualOf(call.body ?? {}), [name]: value }))
          if (problem) wrong.push(`${call.method} ${call.path} ${name}=${JSON.stringify(value).slice(0, 30)}: ${problem}`)
        }
      }
    }
    expect(wrong).toEqual([])
  }, 240_000)

  it('as a body made at random is answered in the envelope, whoever sends it', async () => {
    const next = numbers(5)
    const one = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T
    const made = (depth: number): unknown => {
      const kind = next()
      if (depth === 0 || kind < 0.6) return one([...values, ...texts, story.experience.id, story.answer.id, story.comment.id, story.tag.id])
      if (kind < 0.8) return Array.from({ length: Math.floor(next() * 4) }, () => made(depth - 1))
      return Object.fromEntries(Array.from({ length: Math.floor(next() * 4) }, () => [one(['id', 'slug_name', 'object_id', 'length', 'toString', '0']), made(depth - 1)]))
    }
    const senders = [story.admin, story.member, story.other]
    const wrong: string[] = []
    for (const call of calls.filter(({ body }) => body)) {
      const schemas = call.body ?? {}
      for (let run = 0; run < 20; run++) {
        const members = Object.entries(schemas).map(([name, schema]) => [name, next() < 0.5 ? usual(name, schema) : made(2)] as const)
        const body = JSON.stringify(Object.fromEntries(members.filter(() => next() < 0.9)))
        const { problem } = await send(call, {}, body, one(senders))
        if (problem) wrong.push(`${call.method} ${call.path} ${body.slice(0, 200)}: ${problem}`)
      }
    }
    expect(wrong).toEqual([])
  }, 120_000)

  it('as a whole body is answered in the envelope', async () => {
    const wrong: string[] = []
    for (const call of calls.filter(({ body }) => body)) {
      for (const body of bodies) {
        const { status, problem } = await send(call, {}, body)
        if (problem) wrong.push(`${call.method} ${call.path} ${body.slice(0, 20)}: ${status} ${problem}`)
      }
    }
    expect(wrong).toEqual([])
  }, 120_000)

  it('is refused to whoever may not ask, whatever the body is', async () => {
    const [visitor, inactive, suspended] = [site.visitor(), await site.member('ina', 'inactive'), await site.member('sus', 'suspended')]
    const [member, moderator] = [await site.member('mel'), await site.moderator('mod')]
    const forged = testPerson(site.url, { id: 1, name: 'forged', token: 'x'.repeat(43) })
    const nobody: [TestPerson, number][] = [
      [visitor, 401],
      [forged, 401],
    ]
    const notActive: [TestPerson, number][] = [...nobody, [inactive, 403], [suspended, 403]]
    const kept: Record<string, [TestPerson, number][]> = {
      member: nobody,
      active: notActive,
      staff: [...notActive, [member, 403]],
      admin: [...notActive, [member, 403], [moderator, 403]],
    }
    const { paths } = await apiDocument(site)
    const wrong: string[] = []
    let asked = 0
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        if (LEFT_OUT.includes(`${method.toUpperCase()} ${path}`)) continue
        for (const [person, expected] of kept[(operation as unknown as { 'x-access': string })['x-access']] ?? []) {
          const body = method === 'get' ? {} : { body: '{"id":', headers: { 'content-type': 'application/json' } }
          const { status } = await person.fetch(path.replace('{type}', 'up'), { method: method.toUpperCase(), ...body })
          asked++
          if (status !== expected) wrong.push(`${method} ${path} as ${person.name}: ${status}, not ${expected}`)
        }
      }
    }
    expect(wrong).toEqual([])
    expect(asked).toBeGreaterThan(300)
  })

  it('makes nothing fail inside', () => {
    expect(site.errors).toEqual([])
  })
})
