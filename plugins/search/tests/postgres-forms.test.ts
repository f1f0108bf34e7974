import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { posted } from '../../experiences/testing/index.ts'
import { foundIds } from '../testing/index.ts'

describe('what an earlier version has stored', () => {
  let site: Site
  let database: pg.Client
  beforeAll(async () => {
    let url: string | undefined
    site = await startSite({
      plugins: ['search', 'experiences', 'answers', 'tags', 'accounts', 'site', 'locale-en-us'],
      restore: async (into) => {
        url = into.databaseUrl
      },
    })
    database = new pg.Client({ connectionString: url })
    // Dropped at the end with this connection.
    database.on('error', () => {})
    await database.connect()
  })
  afterAll(async () => {
    await database.end()
    await site.close()
  })

  /** Of how many documents the index holds triples. */
  const withTriples = async () =>
    Number(
      (await database.query(`select count(*) from search__text where words @@ '¬旅行箱'::tsquery or words @@ '¬防水布'::tsquery`)).rows[0]
        .count,
    )

  it('is found as before, also beside what is new, and is stored again by and by', async () => {
    const ana = await site.moderator('ana')
    const old = [
      await posted(ana, { title: '海边的旅行箱', content: '箱子里有防水布和一盏灯。' }),
      await posted(ana, { title: '山上的帐篷', content: '旅行箱太重，我们只带防水布。' }),
    ]
    const torn = await posted(ana, { title: '箱旅行的名字', content: '旅行和行箱不是一回事，防水的布。' })
    await site.idle()
    expect(await withTriples()).toBe(2)
    const found = async () => [(await foundIds(ana, '旅行箱')).sort(), (await foundIds(ana, '防水布')).sort()]
    expect(await found()).toEqual([[...old].sort(), [...old].sort()])

    await database.query(`update search__text set words = ts_delete(words, array(select lexeme from unnest(words) where lexeme like '¬%'))`)
    await database.query('update search__document set text_hash = substr(text_hash, 2)')
    await database.query(`update search__progress set position = position + 1 where kind = '@version'`)
    expect(await withTriples()).toBe(0)
    expect(await found()).toEqual([[...old].sort(), [...old].sort()])
    expect(await foundIds(ana, '旅行')).toContain(torn)
    const fresh = await posted(ana, { title: '新的旅行箱', content: '没有别的。' })
    await site.idle()
    expect(await found()).toEqual([[...old, fresh].sort(), [...old].sort()])

    site.advance(61)
    await expect
      .poll(async () => {
        await site.idle()
        return (await database.query(`select count(*) from search__document where left(text_hash, 1) <> '~'`)).rows[0].count
      })
      .toBe('0')
    expect(await withTriples()).toBe(3)
    expect(await found()).toEqual([[...old, fresh].sort(), [...old].sort()])
  })
})
