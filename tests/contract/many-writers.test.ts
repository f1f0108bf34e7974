import type { Reply, Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accept, answer, answered, answersOf, detailOf } from '../../plugins/answers/testing/index.ts'
import { draft, listed, post, posted } from '../../plugins/experiences/testing/index.ts'
import { vote } from '../../plugins/votes/testing/index.ts'
import { wrongNumbers } from '../support/wrong-numbers.ts'

const WRITERS = 8
const CALLS = 25
const tags = ['red', 'green', 'blue']

let site: Site
let databaseUrl: string | undefined
let staff: TestPerson[]
const posts: string[] = []
const answers: string[] = []

beforeAll(async () => {
  site = await startSite({
    restore: async (into) => {
      databaseUrl = into.databaseUrl
    },
  })
  staff = [await site.admin(), ...(await Promise.all(['ada', 'bea', 'cy'].map((name) => site.moderator(name))))]
  for (const person of staff) {
    const id = await posted(person, { tags })
    posts.push(id)
    answers.push(await answered(staff[0] as TestPerson, id))
  }
}, 120_000)
afterAll(() => site.close())

/** The same walk for the same writer; who meets whom differs from run to run. */
function* numbers(seed: number): Generator<number, never> {
  for (let n = seed + 1; ; ) {
    n = (n * 48_271) % 2_147_483_647
    yield n
  }
}

/** One call of somebody who writes something, about the few posts that everybody writes about. */
function write(next: () => number): Promise<Reply<unknown>> {
  const of = <T>(list: readonly T[]) => list[next() % list.length] as T
  const [person, id] = [of(staff), of(posts)]
  const named = next() % 2 ? tags : [...tags].reverse()
  const direction = of(['up', 'down'] as const)
  return of([
    () => post(person, { tags: named }),
    () => answer(person, id),
    () => vote(person, direction, of([...posts, ...answers]), next() % 3 === 0),
    () => accept(person, id, of(answers)),
    () => person.put('/answer/api/v1/experience', { id, ...draft({ tags: named.slice(1) }) }),
    () => person.put('/answer/admin/api/experience/status', { experience_id: id, status: of(['available', 'closed']) }),
    () => person.post('/answer/api/v1/comment', { object_id: id, original_text: `Seen by ${person.name}, ${next()}.` }),
  ])()
}

describe('many who write about the same at once', () => {
  it('are all answered, and every count is right afterwards', async () => {
    const failed: string[] = []
    await Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        const walk = numbers(writer)
        for (let n = 0; n < CALLS; n++) {
          const reply = await write(() => walk.next().value)
          if (reply.status >= 500) failed.push(reply.text)
        }
      }),
    )
    expect(failed).toEqual([])
    await site.idle()

    const visitor = site.visitor()
    const all = await listed(visitor, { page_size: 100 })
    expect(all.ids).toHaveLength(all.count)
    for (const tag of tags) {
      const { data } = await visitor.get<{ experience_count: number }>('/answer/api/v1/tag', { name: tag })
      expect(data.experience_count).toBe((await listed(visitor, { tag, page_size: 100 })).ids.length)
    }
    for (const id of posts) expect((await detailOf(visitor, id)).answer_count).toBe((await answersOf(visitor, id)).length)
    expect(await wrongNumbers(site.dataDir, databaseUrl)).toEqual([])
    expect(site.errors.filter((line) => line.includes('deadlock'))).toEqual([])
  })
})
