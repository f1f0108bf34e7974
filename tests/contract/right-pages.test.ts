import { join } from 'node:path'
import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answer } from '../../plugins/answers/testing/index.ts'
import { posted } from '../../plugins/experiences/testing/index.ts'
import { vote } from '../../plugins/votes/testing/index.ts'

const INT8 = 20
/** Numbers as SQLite has them. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
}
const api = '/answer/api/v1'
const DAY = 86_400
const SIZE = 4
const POSTS = 24
const PAGES = 60
const WRITERS = 3
const tags = ['red', 'green', 'blue']
/** Words in titles and texts, each of another share of the posts. */
const words = ['harbour', 'meadow', '花园', '灯塔']

interface Row {
  id: number
  status: number
  show: number
  pin: number
  author: string
  created_at: number
  active_at: number
  hot_score: number
  vote_count: number
  view_count: number
  linked_count: number
  answer_count: number
  title: string
  content: string
  tags: string
}

/** Every post with its author and tags, one statement without an index in mind. */
const EVERYTHING = `select p.id, p.status, p.show, p.pin, a.username as author, p.created_at, p.active_at, p.hot_score, p.vote_count, p.view_count,
  p.linked_count, p.answer_count, p.title, b.content,
  (select AGGREGATE from tags__relation r join tags__tag t on t.id = r.tag_id where r.experience_id = p.id) as tags
  from experiences__post p join experiences__body b on b.post_id = p.id join accounts__profile a on a.id = p.author_id order by p.id`

/** What the protocol says of each order: by which columns, and how old a post may be. */
const orders: Record<string, { by: (keyof Row)[]; createdDays?: number; activeDays?: number; isOpen?: true }> = {
  newest: { by: ['created_at'] },
  active: { by: ['active_at', 'created_at'], createdDays: 180, activeDays: 90 },
  hot: { by: ['hot_score'], createdDays: 90 },
  score: { by: ['vote_count', 'view_count'] },
  unanswered: { by: ['created_at'], isOpen: true },
  frequent: { by: ['linked_count'] },
}

interface Query {
  order: string
  tag?: string
  username?: string
}

/** A list as its definition says it, without pages. */
function plain(rows: readonly Row[], { order, tag, username }: Query, now: number): string[] {
  const { by, createdDays, activeDays, isOpen } = orders[order] as (typeof orders)[string]
  const isIn = (row: Row) =>
    [1, 2].includes(row.status) &&
    row.show === 1 &&
    (!isOpen || (row.answer_count === 0 && row.status === 1)) &&
    (!createdDays || row.created_at > now - createdDays * DAY) &&
    (!activeDays || row.active_at > now - activeDays * DAY) &&
    (tag === undefined || row.tags.split(',').includes(tag)) &&
    (username === undefined || row.author === username)
  const columns: (keyof Row)[] = ['pin', ...by, 'id']
  const difference = (a: Row, b: Row) => columns.map((name) => Number(b[name]) - Number(a[name])).find((value) => value !== 0) ?? 0
  return rows
    .filter(isIn)
    .sort(difference)
    .map(({ id }) => String(10_010_000_000_000_000n + BigInt(id)))
}

/** The same walk in every run. */
function* numbers(seed: number): Generator<number, never> {
  for (let n = seed + 1; ; ) {
    n = (n * 48_271) % 2_147_483_647
    yield n >>> 4
  }
}

describe('pages of lists and searches', () => {
  let site: Site
  let staff: TestPerson[]
  let visitor: TestPerson
  const posts: string[] = []
  let everything: () => Promise<Row[]>
  let run: (text: string) => Promise<unknown>
  let close = async () => {}
  let passed = 0

  beforeAll(async () => {
    let place = { dataDir: '', databaseUrl: undefined as string | undefined }
    site = await startSite({
      async restore(into) {
        place = into
      },
    })
    if (place.databaseUrl) {
      const client = new pg.Client({ connectionString: place.databaseUrl, types })
      await client.connect()
      const text = EVERYTHING.replace('AGGREGATE', "coalesce(string_agg(t.slug, ','), '')")
      everything = async () => (await client.query<Row>(text)).rows
      run = (text) => client.query(text)
      close = () => client.end()
    } else {
      const db = new Sqlite(join(place.dataDir, 'stoa.db'))
      const statement = db.prepare<[], Row>(EVERYTHING.replace('AGGREGATE', "coalesce(group_concat(t.slug), '')"))
      everything = async () => statement.all()
      run = async (text) => db.exec(text)
      close = async () => void db.close()
    }
    visitor = site.visitor()
    staff = [await site.admin(), await site.moderator('ada'), await site.moderator('bea')]
    for (let n = 0; n < POSTS; n++) {
      const text = words.filter((_, index) => n % (index + 2) === 0).join(' and ')
      const written = {
        title: `About post ${n} ${n % 2 ? text : ''}`,
        content: `Text ${n}: ${text}.`,
        tags: [tags[n % 3] as string, tags[(n + 1) % 3] as string],
      }
      posts.push(await posted(staff[n % staff.length] as TestPerson, written))
      passed += 90
      site.advance(90)
    }
    // Some posts are too old for the lists of what is hot, and some for those of what is active too.
    for (const most of [8, 4]) {
      const older = `created_at = created_at - ${100 * DAY}, active_at = active_at - ${100 * DAY}`
      await run(`update experiences__post set ${older} where id <= ${most}`)
      await run(`update experiences__group set ${older} where post_id <= ${most}`)
    }
  }, 120_000)
  afterAll(async () => {
    await close()
    await site.close()
  })

  /** One write that moves posts in some list. */
  function write(next: () => number): Promise<{ status: number }> {
    const of = <T>(list: readonly T[]) => list[next() % list.length] as T
    const [person, id] = [of(staff), of(posts)]
    return of([
      () => vote(person, 'up', id, next() % 3 === 0),
      () => answer(person, id),
      () => person.put(`${api}/experience/operation`, { id, operation: of(['pin', 'unpin', 'hide', 'show']) }),
      () => person.put('/answer/admin/api/experience/status', { experience_id: id, status: of(['available', 'closed', 'deleted']) }),
      () => visitor.get(`${api}/experience/info`, { id }),
    ])()
  }

  /** @returns whether the data stayed the same meanwhile, so that there is one right page */
  async function compareOne(next: () => number): Promise<boolean> {
    const of = <T>(list: readonly T[]) => list[next() % list.length] as T
    const narrowing = of([{}, { tag: of(tags) }, { username: (of(staff) as TestPerson).name }])
    const query: Query = { order: of(Object.keys(orders)), ...narrowing }
    const page = 1 + (next() % 5)
    const now = Math.floor(Date.now() / 1000) + passed
    const before = await everything()
    const { status, data } = await visitor.get<{ count: number; list: { id: string }[] }>(`${api}/experience/page`, {
      ...query,
      page,
      page_size: SIZE,
    })
    const after = await everything()
    const [list, later] = [plain(before, query, now), plain(after, query, now)]
    if (JSON.stringify(list) !== JSON.stringify(later)) return false
    const ids = list.slice((page - 1) * SIZE, page * SIZE)
    // Behind the last page of a list there is none.
    const expected = ids.length === 0 && list.length > 0 ? [404] : [200, list.length, ids]
    expect(status === 404 ? [404] : [status, data.count, data.list.map(({ id }) => id)], JSON.stringify({ ...query, page })).toEqual(
      expected,
    )
    return true
  }

  const search = async (word: string, order: string) => {
    const { data } = await visitor.get<{ count: number; list: { object_type: string; object: { id: string } }[] }>(`${api}/search`, {
      q: `${word} is:experience`,
      order,
      page: 1,
      size: 50,
    })
    return { count: data.count, ids: data.list.map(({ object }) => object.id) }
  }

  it('are what a plain statement says, while others write and after', async () => {
    const walk = numbers(1)
    const next = () => walk.next().value
    let isOver = false
    const failed: number[] = []
    const writing = Array.from({ length: WRITERS }, async (_, writer) => {
      const own = numbers(writer + 10)
      while (!isOver) {
        const { status } = await write(() => own.next().value)
        if (status >= 500) failed.push(status)
      }
    })
    let compared = 0
    try {
      for (let n = 0; n < PAGES; n++) if (await compareOne(next)) compared++
    } finally {
      isOver = true
      await Promise.all(writing)
    }
    expect(failed).toEqual([])
    expect(compared).toBeGreaterThan(0)
    await site.idle()
    for (let n = 0; n < PAGES; n++) {
      // Views are written some seconds later, and move posts in the list by score.
      const isSame = (await compareOne(next)) || (await compareOne(next))
      expect(isSame).toBe(true)
    }
  })

  it('find every post that holds a word, and no other', async () => {
    // Each is away for a moment: search was not told that some were made older.
    for (const id of posts)
      for (const status of ['deleted', 'available'])
        expect((await staff[0]?.put('/answer/admin/api/experience/status', { experience_id: id, status }))?.status).toBe(200)
    await site.idle()
    for (const word of words) {
      const found = (await everything()).filter(
        ({ title, content, status, show }) => `${title} ${content}`.includes(word) && status === 1 && show === 1,
      )
      for (const order of ['newest', 'relevance', 'score']) {
        const { count, ids } = await search(word, order)
        const expected = found.map(({ id }) => String(10_010_000_000_000_000n + BigInt(id)))
        expect([count, ids.toSorted()], `${word} ${order}`).toEqual([expected.length, expected.toSorted()])
        if (order === 'newest') expect(ids).toEqual(expected.toReversed())
      }
    }
  })
})
