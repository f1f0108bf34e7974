import { Agent, request } from 'node:http'
import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Story } from '../support/story.ts'
import { tellStory } from '../support/story.ts'

const SWITCHES = 300
/** Not essential, and nobody needs them to start. */
const SWITCHED = ['votes', 'search', 'uploads', 'editor', 'comments']

interface Reply {
  status: number
  body: string
}

/** One connection that stays open and asks again as soon as it has its answer. */
function client(site: Site, person: TestPerson) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const call = (method: string, path: string, body?: object, pause?: () => Promise<void>) =>
    new Promise<Reply>((resolve, reject) => {
      const text = body && Buffer.from(JSON.stringify(body))
      const headers = {
        ...(person.token && { authorization: person.token }),
        ...(text && { 'content-type': 'application/json', 'content-length': text.length }),
      }
      const sent = request(new URL(path, site.url), { method, agent, headers }, (response) => {
        const parts: Buffer[] = []
        response.on('data', (part) => parts.push(part))
        response.once('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts).toString() }))
        response.once('error', reject)
      })
      sent.once('error', reject)
      if (!text || !pause) return void sent.end(text)
      sent.write(text.subarray(0, 10))
      pause().then(() => sent.end(text.subarray(10)), reject)
    })
  return { call, end: () => agent.destroy() }
}

describe('switching plugins under load', () => {
  let site: Site
  let story: Story

  beforeAll(async () => {
    site = await startSite()
    story = await tellStory(site)
  })
  afterAll(() => site.close())

  it(`fails no request in ${SWITCHES} switches`, async () => {
    const failures: string[] = []
    let answered = 0
    let running = true
    const waiting: (() => void)[] = []
    const nextSwitch = () => new Promise<void>((resolve) => (running ? waiting.push(resolve) : resolve()))
    const admin = await site.admin()

    /** A missing route is right while its plugin is off; anything else that is not a success is a failure. */
    const judge = (what: string, { status, body }: Reply, right: (data: unknown) => boolean) => {
      answered++
      if (status === 404 && JSON.parse(body).reason === 'base.route_not_found') return
      const fine = status === 200 && right(body.startsWith('{') ? JSON.parse(body).data : body)
      if (!fine) failures.push(`${what}: ${status} ${body.slice(0, 200)}`)
    }
    const loop = async (
      what: string,
      person: TestPerson,
      turn: (call: ReturnType<typeof client>['call'], round: number) => Promise<[Reply, (data: unknown) => boolean]>,
    ) => {
      const { call, end } = client(site, person)
      for (let round = 0; running; round++) {
        try {
          judge(what, ...(await turn(call, round)))
        } catch (error) {
          failures.push(`${what}: ${(error as Error).message}`)
        }
      }
      end()
    }
    const has = (text: string) => (data: unknown) => JSON.stringify(data).includes(text)
    const { experience, member, other, answer } = story

    const load = [
      loop('list', site.visitor(), async (call) => [
        await call('GET', '/answer/api/v1/experience/page?page=1&page_size=20&order=newest'),
        has(experience.title),
      ]),
      loop('detail', member, async (call) => [
        await call('GET', `/answer/api/v1/experience/info?id=${experience.id}`),
        has(experience.title),
      ]),
      loop('page', site.visitor(), async (call) => [await call('GET', '/experiences'), has(experience.title)]),
      loop('search', site.visitor(), async (call) => [
        await call('GET', `/answer/api/v1/search?q=${encodeURIComponent(experience.word)}&order=relevance&page=1&size=10`),
        () => true,
      ]),
      loop('vote', admin, async (call, round) => [
        await call('POST', '/answer/api/v1/vote/up', { object_id: answer.id, is_cancel: round % 2 === 1 }),
        () => true,
      ]),
      // Its body arrives in two halves with at least one switch between them.
      loop('slow', other, async (call, round) => [
        await call('POST', '/answer/api/v1/post/render', { content: `慢 ${round}` }, nextSwitch),
        has(String(round)),
      ]),
      loop('preview', member, async (call, round) => [
        await call('POST', '/answer/api/v1/post/render', { content: `第 ${round} 次` }),
        has(String(round)),
      ]),
    ]
    const control = client(site, admin)
    for (let n = 0; n < SWITCHES; n++) {
      const slug = SWITCHED[(n >> 1) % SWITCHED.length]
      const { status, body } = await control.call('PUT', '/answer/admin/api/plugin/status', {
        plugin_slug_name: slug,
        enabled: n % 2 === 1,
      })
      for (const resume of waiting.splice(0)) resume()
      if (status !== 200) failures.push(`switch of ${slug}: ${status} ${body}`)
    }
    running = false
    for (const resume of waiting.splice(0)) resume()
    await Promise.all(load)
    control.end()

    expect(failures).toEqual([])
    expect(answered).toBeGreaterThan(SWITCHES)
  }, 180_000)
})
