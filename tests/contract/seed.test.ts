import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createDatabase } from '@stoa/sdk/testing'
import SQLite from 'better-sqlite3'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const posts = 60

describe('npm run seed', () => {
  let folder: string
  let drop = async () => {}
  let query: (text: string) => Promise<Record<string, unknown>[]>
  let close: () => unknown = () => {}
  let lastLine: Record<string, unknown>

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'stoa-seed-'))
    const server = process.env.STOA_TEST_DATABASE === 'postgres' ? process.env.STOA_TEST_PG : undefined
    const database = server ? await createDatabase(server) : undefined
    if (database) drop = database.drop
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join(import.meta.dirname, '../../host-server/cli/run.mjs'), 'seed', '--posts', String(posts)],
      {
        env: {
          ...process.env,
          STOA_DATA: folder,
          ...(database && { DATABASE_URL: database.url }),
          STOA_ADMIN_NAME: 'admin',
          STOA_ADMIN_EMAIL: 'admin@example.org',
          STOA_ADMIN_PASSWORD: 'correct horse 7',
        },
      },
    )
    lastLine = JSON.parse(stdout.trimEnd().split('\n').at(-1) as string)
    if (database) {
      const client = new pg.Client({ connectionString: database.url })
      await client.connect()
      query = async (text) => (await client.query(text)).rows
      close = () => client.end()
    } else {
      const file = new SQLite(join(folder, 'stoa.db'), { readonly: true })
      query = async (text) => file.prepare<[], Record<string, unknown>>(text).all()
      close = () => file.close()
    }
  })
  afterAll(async () => {
    await close()
    await drop()
    rmSync(folder, { recursive: true, force: true })
  })

  const number = async (text: string) => Number(Object.values((await query(text))[0] ?? {})[0])

  it('says what it made, and which Chinese words stand in which share of the posts', async () => {
    expect(lastLine).toMatchObject({ posts, people: expect.any(Number), answers: expect.any(Number) })
    expect(await number('select count(*) from experiences__post')).toBe(posts)
    expect(await number('select count(*) from answers__answer')).toBe(lastLine.answers)
    const { search } = lastLine as { search: Record<string, string> }
    expect(Object.keys(search)).toEqual(['0.001', '0.01', '0.1', '0.5'])
    for (const word of Object.values(search)) expect(word).toMatch(/^\p{Script=Han}+$/u)
    const half = await number(`select count(*) from experiences__body where content like '%${search['0.5']}%'`)
    expect(half / posts).toBeCloseTo(0.5, 0)
  })

  it('has a ballot for every vote that is counted', async () => {
    for (const [kind, table] of [
      ['experience', 'experiences__post'],
      ['answer', 'answers__answer'],
      ['comment', 'comments__comment'],
    ]) {
      const wrong = `select count(*) from ${table} as o where o.vote_count <> coalesce(
        (select sum(b.direction) from votes__ballot as b where b.object_kind = '${kind}' and b.object_n = o.id), 0)`
      expect(await number(wrong), kind).toBe(0)
    }
  })

  it('counts posts and answers at the people who wrote them, one answer each', async () => {
    for (const [counter, table, author, shown] of [
      ['experience_count', 'experiences__post', 'author_id', 'show'],
      ['answer_count', 'answers__answer', 'person_id', 'parent_listed'],
    ]) {
      const wrong = `select count(*) from accounts__profile as p
        where p.${counter} <> (select count(*) from ${table} as t where t.${author} = p.id and t.${shown} = 1)`
      expect(await number(wrong), counter).toBe(0)
    }
    expect(
      await number('select count(*) from (select 1 from answers__answer group by experience, person_id having count(*) > 1) as t'),
    ).toBe(0)
  })

  it('has followers, bookmarks and reactions behind every count of them', async () => {
    for (const [table, kind, counted, counter] of [
      ['follows__follow', 'experience', 'experiences__post', 'follow_count'],
      ['follows__follow', 'tag', 'tags__tag', 'follow_count'],
      ['bookmarks__bookmark', 'experience', 'experiences__post', 'collection_count'],
    ]) {
      const behind = `select count(*) from ${table} as r where r.object_kind = '${kind}'`
      expect(await number(behind), `${table} of ${kind}`).toBeGreaterThan(0)
      expect(
        await number(`select count(*) from ${counted} as o where o.${counter} <> (${behind} and r.object_n = o.id)`),
        `${counter} of ${kind}`,
      ).toBe(0)
    }
    const followed = 'select count(*) from follows__follow as f where f.person_id = p.id'
    expect(await number(`select count(*) from accounts__profile as p where p.follow_count <> (${followed})`)).toBe(0)
    const reacted = `select count(*) from reactions__reaction as r
      where r.object_kind = s.object_kind and r.object_n = s.object_n and r.emoji = s.emoji`
    expect(await number('select count(*) from reactions__summary')).toBeGreaterThan(0)
    expect(await number(`select count(*) from reactions__summary as s where s.count <> (${reacted})`)).toBe(0)
    expect(await number('select count(*) from invitations__invitation where person_id = by_id')).toBe(0)
  })

  it('lists each post below its tags, by what the post says', async () => {
    const relations = 'select count(*) from tags__relation'
    expect(await number(relations)).toBeGreaterThan(posts)
    const columns = ['tier', 'open_tier', 'created_at', 'active_at', 'hot_score', 'vote_count', 'view_count', 'linked_count']
    const same = columns.map((column) => `g.${column} = p.${column}`).join(' and ')
    const right = `select count(*) from experiences__group as g join experiences__post as p on p.id = g.post_id
      join tags__relation as r on r.experience_id = g.post_id and 'tag:' || r.tag_id = g.name where ${same}`
    expect(await number(right)).toBe(await number(relations))
    expect(await number('select count(*) from experiences__group')).toBe(await number(relations))
  })

  it('leaves nothing for the index to catch up with', async () => {
    const sources = await number('select (select count(*) from experiences__post) + (select count(*) from answers__answer)')
    expect(await number('select count(*) from search__document')).toBe(sources)
    expect(await number('select count(*) from search__progress where done = 1')).toBe(2)
  })
})
