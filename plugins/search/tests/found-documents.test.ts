import { createDatabase } from '@stoa/sdk/testing'
import SQLite from 'better-sqlite3'
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import progress from '../migrations/0001-documents.ts'
import documents from '../migrations/0002-one-text.ts'
import parents from '../migrations/0003-parents.ts'
import recentTexts from '../migrations/0004-recent-texts.ts'
import facts from '../migrations/0005-facts.ts'
import narrowTexts from '../migrations/0006-narrow-texts.ts'
import { findDocuments } from '../server/find-documents.ts'
import { storeDocuments } from '../server/store-documents.ts'
import type { SearchTables } from '../server/tables.ts'
import { textIndexOf } from '../server/text-index.ts'
import type { SearchDocument, SearchQuery } from '../shared/api.ts'

const dialect = process.env.STOA_TEST_DATABASE === 'postgres' ? 'postgres' : 'sqlite'
/** Whole numbers as numbers, as the site has them. */
const types = { getTypeParser: ((oid: number, format: 'text') => (oid === 20 ? Number : pg.types.getTypeParser(oid, format))) as never }
const ALL = 1500
const words = ['经验', '方法', '咖啡', 'train', 'coast', 'bread']

/** Word `i` stands in every (i + 1)th text and in every (7i + 5)th title. */
const stored = Array.from({ length: ALL }, (_, n): SearchDocument & { words: Set<string> } => {
  const inText = words.filter((_, i) => n % (i + 1) === 0 && n % 13 !== i)
  const inTitle = words.filter((_, i) => n % (7 * i + 5) === 0)
  return {
    kind: n % 3 === 0 ? 'answer' : 'experience',
    n: n + 1,
    ...(n % 3 === 0 && { parent: { kind: 'experience', n: n + 2 } }),
    title: `第${inTitle.join('和')}题`,
    text: `${inText.join('，')}。`,
    tags: n % 2 === 0 ? ['even'] : [],
    authorId: 1 + (n % 4),
    createdAt: 1_700_000_000 + ((n * 7919) % ALL),
    activeAt: 1_700_000_000 + ((n * 104_729) % ALL),
    votes: (n * 31) % 23,
    answers: n % 3 === 0 ? -1 : n % 5,
    views: n % 100,
    accepted: n % 11 === 0,
    visible: n % 17 !== 0,
    // The title of a part is not its own.
    words: new Set([...inText, ...(n % 3 === 0 ? [] : inTitle)]),
  }
})

/** Few and many, to what is looked for in other ways then. */
const bounds: { many?: number; recent?: number }[] = [{}, { many: 100, ...(dialect === 'postgres' && { recent: 300 }) }]

describe.each(bounds)(`what a search finds among many (${dialect}), %o`, ({ many, recent }) => {
  const index = textIndexOf(dialect, recent)
  let db: Kysely<SearchTables>
  let close = async () => {}

  beforeAll(async () => {
    if (dialect === 'postgres') {
      const database = await createDatabase(process.env.STOA_TEST_PG as string)
      const pool = new pg.Pool({ connectionString: database.url, types })
      // The database is dropped with connections that are about to end.
      pool.on('error', () => {})
      db = new Kysely({ dialect: new PostgresDialect({ pool }) })
      close = async () => {
        await db.destroy()
        await database.drop()
      }
    } else {
      db = new Kysely({ dialect: new SqliteDialect({ database: new SQLite(':memory:') }) })
      close = () => db.destroy()
    }
    for (const migration of [progress, documents, parents, recentTexts, facts, narrowTexts]) await migration.up(db as never, dialect)
    await storeDocuments(db, index, stored)
  })
  afterAll(() => close())

  const find = (query: Partial<SearchQuery>) =>
    findDocuments({
      db,
      dialect,
      index,
      query: { words: [], phrases: [], tags: [], order: 'relevance', page: 1, size: 50, ...query },
      kinds: null,
      ...(many !== undefined && { many }),
    })

  /** All pages, one behind the other. */
  async function everyPage(query: Partial<SearchQuery>): Promise<number[]> {
    const found: number[] = []
    for (let page = 1; ; page++) {
      const { hits } = await find({ ...query, page })
      if (hits.length === 0) return found
      found.push(...hits.map(({ n }) => n))
    }
  }

  const plainly = (matches: (document: (typeof stored)[number]) => boolean) =>
    stored
      .filter((document) => document.visible && matches(document))
      .map(({ n }) => n)
      .sort((a, b) => a - b)

  const asked: [string, Partial<SearchQuery>, (document: (typeof stored)[number]) => boolean][] = [
    ...words.map((word): (typeof asked)[number] => [word, { words: [word] }, (document) => document.words.has(word)]),
    ['a pair', { words: ['咖啡', 'coast'] }, (document) => document.words.has('咖啡') || document.words.has('coast')],
    ['a frequent pair', { words: ['经验', '方法'] }, (document) => document.words.has('经验') || document.words.has('方法')],
    [
      'a phrase and a word',
      { phrases: ['train'], words: ['bread'] },
      (document) => ['train', 'bread'].every((word) => document.words.has(word)),
    ],
    ['a tag', { tags: ['even'] }, ({ tags }) => tags.length > 0],
    ['a word with a tag', { words: ['方法'], tags: ['even'] }, ({ words: all, tags }) => all.has('方法') && tags.length > 0],
    ['a word of an author', { words: ['方法'], authorId: 3 }, ({ words: all, authorId }) => all.has('方法') && authorId === 3],
    [
      'a word with votes',
      { words: ['经验', 'train'], minVotes: 9 },
      ({ words: all, votes }) => (all.has('经验') || all.has('train')) && votes >= 9,
    ],
    ['a word with many votes', { words: ['方法'], minVotes: 22 }, ({ words: all, votes }) => all.has('方法') && votes >= 22],
    [
      'a kind with answers',
      { kind: 'experience', words: ['经验'], minAnswers: 1 },
      ({ kind, words: all, answers }) => kind === 'experience' && all.has('经验') && answers >= 1,
    ],
    ['votes alone', { minVotes: 20 }, ({ votes }) => votes >= 20],
  ]
  for (const [name, query, matches] of asked) {
    it(`gives each match once over all pages, in every order: ${name}`, async () => {
      const expected = plainly(matches)
      for (const order of ['relevance', 'newest', 'active', 'score'] as const) {
        const found = await everyPage({ ...query, order })
        expect(
          [...found].sort((a, b) => a - b),
          order,
        ).toEqual(expected)
      }
    })
  }

  it('orders by what the order says', async () => {
    const byN = new Map(stored.map((document) => [document.n, document]))
    const keys = { newest: 'createdAt', active: 'activeAt', score: 'votes' } as const
    for (const [order, key] of Object.entries(keys)) {
      const values = (await everyPage({ words: ['经验', 'coast'], order: order as keyof typeof keys })).map((n) => byN.get(n)?.[key] ?? 0)
      expect(values, order).toEqual([...values].sort((a, b) => b - a))
    }
  })

  it('counts all while they are few, a thousand on the first pages where they are more, and on where somebody reads on', async () => {
    const frequent = plainly((document) => document.words.has('经验'))
    expect(frequent.length).toBeGreaterThan(1000)
    expect((await find({ words: ['经验'] })).total).toBe(1000)
    expect((await find({ words: ['经验'], page: 11 })).total).toBe(frequent.length)
    expect((await find({ words: ['bread'] })).total).toBe(plainly((document) => document.words.has('bread')).length)
  })

  it('puts titles with a word before texts with it, and both words before one', async () => {
    const { hits } = await find({ words: ['coast', 'bread'], size: 20 })
    const score = (n: number) => [...(stored[n - 1]?.words ?? [])].filter((word) => word === 'coast' || word === 'bread').length
    const counts = hits.map(({ n }) => score(n))
    expect(counts.slice(0, 5)).toEqual([2, 2, 2, 2, 2])
    const [first] = (await find({ words: ['bread'] })).hits
    expect(stored[(first?.n ?? 0) - 1]?.title).toContain('bread')
  })
})
