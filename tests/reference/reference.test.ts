import { startSite } from '@stoa/sdk/testing'
import type { Query, Site, TestPerson } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FIRST_BADGE, tellStory } from '../support/story.ts'
import type { Story } from '../support/story.ts'
import { apiDocument } from '../support/surface.ts'
import protocol from './protocol.json' with { type: 'json' }
import { differences } from './shape.ts'
import type { Call, Shape } from './shape.ts'

const calls = protocol as unknown as Record<string, Call>

/** Words of the reference → what our routes may declare; a stricter one is right where the reference leaves staff open. */
const ACCESS: Record<string, string[]> = {
  none: ['open', 'visitor'],
  'none-unless-private': ['visitor'],
  'login-any-status': ['member'],
  'login-active': ['active', 'staff', 'admin'],
  admin: ['admin', 'staff'],
  'install-mode': ['install', 'open'],
}

/** At least so many calls of the reference are built; the number only grows. */
const MIN_BUILT = 100

interface Operation {
  'x-access': string
  parameters: { name: string; in: string }[]
  requestBody?: { content: Record<string, { schema: { properties?: Record<string, unknown> } }> }
}

const plain = (name: string) => name.replace(/\?$/, '')
const requiredMembers = (shape: Shape | undefined): string[] => (typeof shape === 'object' && 'object' in shape ? Object.keys(shape.object).filter((key) => !key.endsWith('?')) : [])
/** Taken by whoever asks for proofs before a call is handled, whatever its schema. */
const OF_PROOFS = ['captcha_id', 'captcha_code']

/** In the reference, and ignored by the server it describes. */
const WITHOUT_EFFECT = [
  'GET /answer/api/v1/badge/user/awards: page',
  'GET /answer/api/v1/badge/user/awards: page_size',
  'GET /answer/api/v1/experience/similar/tag: page_size',
]

describe('the API document', () => {
  let site: Site
  let built: Map<string, Operation>

  beforeAll(async () => {
    site = await startSite()
    const { paths } = await apiDocument(site)
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation as unknown as Operation] as const),
    )
    built = new Map(operations)
  })
  afterAll(() => site.close())

  const compared = () => Object.entries(calls).filter(([name]) => built.has(name)).map(([name, call]) => ({ name, call, operation: built.get(name) as Operation }))

  it('covers the calls of the first community', () => {
    expect(compared().length).toBeGreaterThanOrEqual(MIN_BUILT)
  })

  it('lets the same people call', () => {
    const wrong = compared().filter(({ call, operation }) => !ACCESS[call.who]?.includes(operation['x-access']))
    expect(wrong.map(({ name, call, operation }) => `${name}: ${call.who} became ${operation['x-access']}`)).toEqual([])
  })

  it('takes every parameter', () => {
    const missing = compared().flatMap(({ name, call, operation }) => {
      const known = operation.parameters.filter((parameter) => parameter.in === 'query').map((parameter) => parameter.name)
      return call.query.map(plain).filter((parameter) => !known.includes(parameter) && !OF_PROOFS.includes(parameter)).map((parameter) => `${name}: ${parameter}`)
    })
    expect(missing).toEqual(WITHOUT_EFFECT)
  })

  // What is optional may be ignored, as every unknown member is.
  it('takes every member that a body must have', () => {
    const missing = compared().flatMap(({ name, call, operation }) => {
      const schema = Object.values(operation.requestBody?.content ?? {})[0]?.schema
      if (!schema?.properties) return []
      const known = Object.keys(schema.properties)
      return requiredMembers(call.body).filter((member) => !known.includes(member)).map((member) => `${name}: ${member}`)
    })
    expect(missing).toEqual([])
  })
})

/** Nothing in the story that they could show: no shipped plugin has a settings form. */
const WITHOUT_OBJECT = ['GET /answer/admin/api/plugin/config']

describe('real replies', () => {
  let site: Site
  let story: Story

  beforeAll(async () => {
    site = await startSite()
    story = await tellStory(site)
  })
  afterAll(() => site.close())

  /** Parameters that make a call find something, by call and else by name. */
  const valuesFor = (name: string, call: Call): Query => {
    const { experience, answer, tag } = story
    const byCall: Record<string, Query> = {
      'GET /answer/api/v1/answer/info': { id: answer.id },
      'GET /answer/api/v1/notification/page': { type: 'inbox' },
      'GET /answer/api/v1/badge': { id: FIRST_BADGE },
      'GET /answer/api/v1/badge/awards/page': { badge_id: FIRST_BADGE },
      'GET /answer/api/v1/tag': { name: tag.slug },
      'GET /answer/api/v1/tag/synonyms': { tag_id: tag.id },
      'GET /answer/api/v1/comment': { id: story.comment.id },
      'GET /answer/api/v1/activity/timeline': { object_id: experience.id },
      'GET /answer/api/v1/activity/timeline/detail': { new_revision_id: '1', old_revision_id: '0' },
      'GET /answer/api/v1/tags': { tags: tag.slug },
      'GET /answer/api/v1/reasons': { object_type: 'experience', action: 'close' },
      'GET /answer/admin/api/reasons': { object_type: 'experience', action: 'close' },
      'GET /answer/api/v1/search': { q: experience.word, order: 'relevance' },
      'GET /answer/api/v1/siteinfo/legal': { info_type: 'tos' },
      'GET /answer/api/v1/user/action/record': { action: 'search' },
      'GET /answer/admin/api/user/activation': { user_id: story.newcomer.id },
    }
    const byName: Query = {
      id: experience.id,
      experience_id: experience.id,
      object_id: experience.id,
      username: story.username,
      tag: tag.slug,
      title: '琥珀',
      action: 'experience.add',
      tag_id: tag.id,
      e_mail: 'ana@example.org',
      name: 'ana',
      plugin_slug_name: 'editor',
    }
    const required = call.query.filter((parameter) => !parameter.endsWith('?') || parameter === 'username?').map(plain)
    return byCall[name] ?? Object.fromEntries(required.map((parameter) => [parameter, byName[parameter]]))
  }

  const askAs = (name: string, call: Call): TestPerson => {
    // After it the others could not ask any more.
    if (name.endsWith('user/logout')) return story.other
    return call.who === 'admin' ? story.admin : call.who.startsWith('login') ? story.member : site.visitor()
  }

  it('have the shape of the reference, for every call that reads', async () => {
    const built = Object.keys((await apiDocument(site)).paths)
    const wrong: string[] = []
    // Whoever logs out asks for nothing more.
    const ordered = Object.entries(calls).sort(([a], [b]) => Number(a.endsWith('/logout')) - Number(b.endsWith('/logout')))
    for (const [name, call] of ordered) {
      const [method, path = ''] = name.split(' ')
      if (method !== 'GET' || !built.includes(path) || call.who === 'install-mode' || path.includes('{') || !call.reply || WITHOUT_OBJECT.includes(name)) continue
      const { status, text, data } = await askAs(name, call).get(path, valuesFor(name, call))
      if (status !== 200) wrong.push(`${name}: ${status} ${text.slice(0, 160)}`)
      else wrong.push(...differences(data, call.reply).map((line) => `${name}: ${line}`))
    }
    expect(wrong).toEqual([])
  })
})
