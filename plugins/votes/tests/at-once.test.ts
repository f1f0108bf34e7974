import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accept, answered, answersOf, detailOf } from '../../answers/testing/index.ts'
import { comment, commented } from '../../comments/testing/index.ts'
import { posted } from '../../experiences/testing/index.ts'
import { openVotes, vote } from '../testing/index.ts'

const api = '/answer/api/v1'
const ROUNDS = 4
/** In nearly each of them both waited a second for each other, before rewards went by person (measured). */
const ACCEPTED = 40

describe('six people below the same posts at once', () => {
  let site: Site
  let databaseUrl: string | undefined
  let staff: TestPerson[]
  let people: TestPerson[]

  beforeAll(async () => {
    site = await startSite({
      plugins: ['answers', 'comments', 'votes', 'history'],
      restore: async (into) => {
        databaseUrl = into.databaseUrl
      },
    })
    await openVotes(site)
    staff = [await site.moderator('mona'), await site.moderator('mira')]
    people = await Promise.all(['ana', 'ben', 'cai', 'dov'].map((name) => site.member(name)))
  })
  afterAll(() => site.close())

  /** How often PostgreSQL had to end a transaction so that another could go on. Connections tell it when they end. */
  async function deadlocks(): Promise<number> {
    if (!databaseUrl) return 0
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    const one = async (text: string, values: unknown[] = []) => Number((await client.query(text, values)).rows[0].n)
    try {
      const began = await one('select extract(epoch from clock_timestamp()) as n')
      await site.restart()
      const older = () =>
        one(
          `select count(*) as n from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and backend_start < to_timestamp($1)`,
          [began],
        )
      await expect.poll(older, { timeout: 20_000 }).toBe(0)
      return await one('select deadlocks as n from pg_stat_database where datname = current_database()')
    } finally {
      await client.end()
    }
  }

  const count = async (path: string, person: TestPerson): Promise<number> =>
    (await site.visitor().get<{ count: number }>(`${api}/${path}`, { username: person.name, page: 1, page_size: 1 })).data.count

  it('write all of it, and all numbers are right', async () => {
    const [mona, mira] = staff as [TestPerson, TestPerson]
    const posts = await Promise.all(
      people.slice(0, 3).map(async (author, index) => {
        const experience = await posted(author)
        const others = people.filter((person) => person !== author)
        const answers: string[] = []
        for (const other of others) answers.push(await answered(other, experience, `It is like post ${index}: /experiences/${experience}`))
        const comments: string[] = []
        for (const id of [experience, ...answers]) comments.push(await commented(author, id))
        return { author, experience, answers, comments }
      }),
    )
    const operate = (id: string, operation: string) => mona.put(`${api}/experience/operation`, { id, operation })
    const setStatus = (id: string, index: number) =>
      index % 2 === 0 ? mira.del(`${api}/answer`, { id }) : mira.post(`${api}/answer/recover`, { answer_id: id })
    for (let round = 0; round < ROUNDS; round++) {
      const replies = await Promise.all(
        posts.flatMap(({ author, experience, answers, comments }, number) => [
          operate(experience, 'hide'),
          operate(experience, 'show'),
          ...answers.flatMap((id, index) => [
            ...people.map((person) => vote(person, (index + round) % 2 === 0 ? 'up' : 'down', id)),
            ...people.map((person) => vote(person, 'up', id, true)),
            setStatus(id, index + round),
            setStatus(id, index + round + 1),
            comment(people[(index + round) % people.length] as TestPerson, id),
            mira.put(`${api}/answer`, { id, content: `Written anew in round ${round}.\n\n/experiences/${experience}`, edit_summary: '' }),
          ]),
          ...people.map((person) => vote(person, 'up', experience, round % 2 === 1)),
          accept(author, experience, answers[round % answers.length] as string),
          comment(mira, experience),
          author.del(`${api}/comment`, { comment_id: comments[round] }),
          mira.put(`${api}/experience`, {
            id: experience,
            title: `Night train ${number} in round ${round}`,
            content: 'All that one may know.',
            tags: [],
          }),
          operate(experience, round % 2 === 0 ? 'hide' : 'show'),
        ]),
      )
      expect(replies.filter(({ status }) => status >= 500)).toEqual([])
    }
    await site.idle()
    for (const { experience } of posts) {
      const standing = await answersOf(site.visitor(), experience)
      expect(await detailOf(site.visitor(), experience)).toMatchObject({ answer_count: standing.length })
    }
    for (const person of people) {
      const { data } = await site.visitor().get<Record<string, number>>(`${api}/personal/user/info`, { username: person.name })
      expect(data, person.name).toMatchObject({
        experience_count: await count('personal/experience/page', person),
        answer_count: await count('personal/answer/page', person),
      })
    }
    expect(site.errors).toEqual([])
  })

  it('may accept each other’s answers', async () => {
    const [ana, ben] = people as [TestPerson, TestPerson]
    const pairs = await Promise.all(
      [
        [ana, ben],
        [ben, ana],
      ].map(async ([author, other]) => {
        const experience = await posted(author as TestPerson)
        return { author: author as TestPerson, experience, answer: await answered(other as TestPerson, experience, 'By day as well.') }
      }),
    )
    const acceptAll = (isMarked: boolean) =>
      Promise.all(pairs.map(({ author, experience, answer }) => accept(author, experience, isMarked ? answer : '')))
    for (let round = 0; round < ACCEPTED; round++) {
      const replies = [...(await acceptAll(true)), ...(await acceptAll(false))]
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    }
  })

  it('never wait for each other in a circle', async () => {
    expect(await deadlocks()).toBe(0)
  })
})
