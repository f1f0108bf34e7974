import type { TextQuery } from '@stoa/sdk/server'
import { fullText } from '@stoa/sdk/server'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { tokensOfSearch, tokensOfText } from '../../../sdk/server/tokens-of-text.ts'
import { describeOnEach } from '../test-data.ts'
import { openReader } from './reader.ts'

describe('tokens', () => {
  it('are words in lower case without accents, and pairs of CJK characters', () => {
    expect(tokensOfText('Node教程, Ｃafé!')).toEqual(['node', '教程', '程', 'cafe'])
    expect(tokensOfText('数据库')).toEqual(['数据', '据库', '库'])
    expect(tokensOfText('がんばれ 한국어 😀 「」')).toEqual(['がん', 'んば', 'ばれ', 'れ', '한국', '국어', '어'])
    expect(tokensOfText('𠮷野家')).toEqual(['𠮷野', '野家', '家'])
  })

  it('of a search leave its end open where the text may go on', () => {
    expect(tokensOfSearch('数据库')).toEqual({ tokens: ['数据', '据库'], openEnd: false })
    expect(tokensOfSearch('库')).toEqual({ tokens: ['库'], openEnd: true })
    expect(tokensOfSearch('教程 Node')).toEqual({ tokens: ['教程', '程', 'node'], openEnd: false })
    expect(tokensOfSearch('😀 "!')).toBeUndefined()
  })
})

describeOnEach('full text', (store) => {
  const texts: Record<number, { title: string; body: string }> = {
    1: { title: '数据库入门', body: '关系型数据库与 SQL' },
    2: { title: 'Node教程', body: 'Streams and buffers, in depth.' },
    3: { title: '数学', body: '根据数据分析，不需要仓库' },
    4: { title: 'Emoji 😀 party', body: `it's "quoted" text; don't ' break -- it` },
    5: { title: 'Long', body: `${'填充文字 filler '.repeat(12_000)}` },
    6: { title: 'Deep', body: `${'一二三四五六七八九十'.repeat(2000)}独特结尾 lastword` },
  }

  async function library(recent?: number) {
    const data = await (await store()).open()
    const index = fullText('notes__text', data.dialect, recent)
    await data.migrate('notes', [{ name: '0001-text', up: (db) => index.create(db) }])
    await data.database.write(async (tx) => {
      for (const [id, text] of Object.entries(texts)) await index.put(tx, [{ id: Number(id), ...text }])
    })
    const find = async (query: TextQuery) => {
      const { rows } = await sql<{ id: number }>`select id from (${index.matching(query)}) as hits order by id`.execute(data.database.query)
      return rows.map(({ id }) => id)
    }
    const all = (...every: string[]) => find({ every })
    return { data, index, find, all }
  }

  it('finds what people write, in any script', async () => {
    const { all } = await library()
    expect(await all('数据库')).toEqual([1])
    expect(await all('数据')).toEqual([1, 3])
    expect(await all('库')).toEqual([1, 3])
    expect(await all('据库')).toEqual([1])
    expect(await all('教程')).toEqual([2])
    expect(await all('node')).toEqual([2])
    expect(await all('Node教程')).toEqual([2])
    expect(await all('NODE', 'buffers')).toEqual([2])
    expect(await all('不存在')).toEqual([])
  })

  it('finds the same once it is compact, which is done in steps and ends early when it is told to', async () => {
    const { data, index, all } = await library()
    const found = async () => [await all('数据库'), await all('buffers'), await all('lastword'), await all('文字 filler')]
    for (let id = 7; id < 40; id++)
      await data.database.write((tx) => index.put(tx, [{ id, title: `Note ${id}`, body: `${'文字 filler '.repeat(500)}word${id}` }]))
    await data.database.write((tx) => index.remove(tx, [12, 13]))
    const before = await found()
    const stepsOf = async (most: number) => {
      let steps = 0
      await index.compact(async (work) => {
        steps++
        const isMore = await data.database.write(work)
        return isMore && steps < most
      })
      return steps
    }
    expect(await stepsOf(1)).toBe(1)
    await stepsOf(100)
    expect(await found()).toEqual(before)
    expect(await all('word39')).toEqual([39])
    expect(await all('word12')).toEqual([])
    // Nothing is left to do.
    expect(await stepsOf(100)).toBe(1)
  })

  it('finds phrases, not their words in another order', async () => {
    const { all } = await library()
    expect(await all('streams and buffers')).toEqual([2])
    expect(await all('buffers and streams')).toEqual([])
    expect(await all('数据库与 SQL')).toEqual([1])
    expect(await all('入门关系')).toEqual([])
    expect(await all('关系型数据库')).toEqual([1])
    expect(await all('数据库与S')).toEqual([])
    expect(await all('据数库')).toEqual([])
  })

  it('finds every phrase of Chinese exactly where it stands', async () => {
    const { data, index, find } = await library()
    const signs = ['数', '据', '库', '𠮷']
    const texts = new Map<number, { title: string; body: string }>()
    const bodyOf = (id: number) => Array.from({ length: 12 }, (_, i) => signs[(id * id * (i + 3) + (id >> (i % 5))) % 4]).join('')
    for (let id = 10; id < 90; id++)
      texts.set(id, { title: bodyOf(id + 500).slice(0, 5), body: `${bodyOf(id)}，${bodyOf(id + 1000)} no on ${bodyOf(id)}` })
    const long = { id: 90, title: '数据', body: `${'库据 '.repeat(300)}数库，据库据` }
    await data.database.write((tx) => index.put(tx, [...[...texts].map(([id, text]) => ({ id, ...text })), long]))
    const having = (phrases: string[], of: 'title' | 'any') =>
      [...texts.keys()].filter((id) => {
        const { title, body } = texts.get(id) as { title: string; body: string }
        return phrases.every((phrase) => title.includes(phrase) || (of === 'any' && body.includes(phrase)))
      })
    // Where neighbours cannot be told, all texts that have the words are found.
    const found = async (query: TextQuery) => (await find(query)).filter((id) => texts.has(id))
    const longer = (phrases: string[]) => phrases.flatMap((phrase) => signs.map((sign) => phrase + sign))
    const pairs = longer(signs)
    const [threes, fours] = [longer(pairs), longer(longer(pairs))]
    for (const phrase of [...pairs, ...threes, ...fours.filter((_, i) => i % 5 === 0), '数据库𠮷数', '据据据据据据']) {
      expect(await found({ every: [phrase] }), phrase).toEqual(having([phrase], 'any'))
      expect(await found({ inTitle: [phrase] }), phrase).toEqual(having([phrase], 'title'))
      expect(await found({ every: [phrase, '库𠮷据'] }), phrase).toEqual(having([phrase, '库𠮷据'], 'any'))
    }
    expect(threes.filter((phrase) => having([phrase], 'any').length > 0).length).toBeGreaterThan(30)
    expect(await find({ every: ['据库据'] })).toContain(long.id)
  })

  it('takes any text for text', async () => {
    const { all } = await library()
    expect(await all(`"quoted" text'`)).toEqual([4])
    expect(await all(`don't ' break`)).toEqual([4])
    for (const odd of ['*', '"', "'", 'NOT', 'a AND', '(x', "x' | 'y", ':*', '\0', '\\', '{title} : x', '😀']) await all(odd)
    expect(await all('😀')).toEqual([])
    expect(await all('node', '😀')).toEqual([])
    expect(await all()).toEqual([])
  })

  it('combines alternatives, words of the title, and marks', async () => {
    const { data, index, find } = await library()
    expect(await find({ any: ['node', '数学', '😀'] })).toEqual([2, 3])
    expect(await find({ any: ['😀'] })).toEqual([])
    expect(await find({ every: ['数据'], any: ['SQL', '分析'] })).toEqual([1, 3])
    expect(await find({ inTitle: ['数据'] })).toEqual([1])
    expect(await find({ inTitle: ['关系型'] })).toEqual([])
    expect(await find({ any: ['数据库入门', '需要仓库'] })).toEqual([1, 3])
    expect(await find({ every: ['streams'], inTitle: ['教'] })).toEqual([2])
    expect(await find({ inTitle: ['depth'] })).toEqual([])
    await data.database.write((tx) =>
      index.put(tx, [
        { id: 7, title: 'Boats', body: 'kind 1', marks: ['tag:c++', 'tag:食谱', "o'kind:1"] },
        { id: 8, title: 'Boats', body: 'author 1', marks: ['tag:c', 'tag:食'] },
      ]),
    )
    expect(await find({ marks: ['tag:c++'] })).toEqual([7])
    expect(await find({ marks: ['tag:c'] })).toEqual([8])
    expect(await find({ marks: ['tag:食'] })).toEqual([8])
    expect(await find({ marks: ["o'kind:1", 'tag:食谱'], every: ['boats'] })).toEqual([7])
    expect(await find({ marks: ['tag:none'], any: ['boats'] })).toEqual([])
    expect(await find({ every: ['tag'] })).toEqual([])
    expect(await find({ every: ['kind boats'] })).toEqual([])
  })

  it('does not read on from the title into the body', async () => {
    const { all } = await library()
    expect(await all('入门 关系')).toEqual([])
    expect(await all('party it')).toEqual([])
  })

  it('reads long texts to a certain length', async () => {
    const { all } = await library()
    expect(await all('filler 填充文字')).toEqual([5])
    expect(await all('独特结尾')).toEqual([6])
    expect(await all('结尾 lastword')).toEqual([6])
    expect(await all('lastword', 'deep')).toEqual([6])
  })

  it('takes the longest text of nothing but different words', async () => {
    const { data, index, find, all } = await library()
    // A walk over 283 characters, from each to the one as many further as it is the round: no two stand next to each other twice.
    let text = ''
    for (let round = 1; text.length < 80_000; round++)
      for (let step = 0; step < 283; step++) text += String.fromCodePoint(0x4e00 + ((step * round) % 283))
    await data.database.write((tx) => index.put(tx, [{ id: 9, title: '很长的文章', body: text.slice(0, 80_000) }]))
    expect(await all(text.slice(70_000, 70_006))).toEqual([9])
    expect(await find({ inTitle: ['很长的文章'] })).toEqual([9])
    expect(await find({ inTitle: [text.slice(0, 3)] })).toEqual([])
  })

  it('replaces and forgets', async () => {
    const { data, index, all } = await library()
    await data.database.write(async (tx) => {
      await index.put(tx, [{ id: 1, title: 'Gardens', body: '' }])
      await index.remove(tx, [2, 99])
    })
    expect([await all('数据库'), await all('gardens'), await all('node')]).toEqual([[], [1], []])
  })

  it('takes many rows at once, in any order, known ones too', async () => {
    const { data, index, all } = await library()
    const rows = Array.from({ length: 12_000 }, (_, i) => ({ id: 12_000 - i, title: `Row ${12_000 - i}`, body: '' }))
    await data.database.write((tx) => index.put(tx, rows))
    expect([await all('row 7'), await all('row 12000'), await all('数据库')]).toEqual([[7], [12_000], []])
    expect(await all('row')).toHaveLength(12_000)
  })

  it('gives the newest first, page by page', async () => {
    const { data, index } = await library()
    await data.database.write((tx) =>
      index.put(
        tx,
        [10, 12, 11].map((id) => ({ id, body: 'Stones in rivers' })),
      ),
    )
    const newest = (limit: number, offset?: number) => index.newest(data.database.query, { every: ['rivers'] }, limit, offset)
    expect([await newest(9), await newest(2), await newest(2, 2)]).toEqual([[12, 11, 10], [12, 11], [10]])
    expect(await index.newest(data.database.query, { every: ['😀'] }, 9)).toEqual([])
  })

  it('gives the newest of several queries at once, whether they are among the recent texts or not', async () => {
    const { data, index } = await library(20)
    const bodies = new Map<number, string>()
    const put = (rows: { id: number; body: string }[]) => {
      for (const { id, body } of rows) bodies.set(id, body)
      return data.database.write((tx) => index.put(tx, rows))
    }
    const remove = (ids: number[]) => {
      for (const id of ids) bodies.delete(id)
      return data.database.write((tx) => index.remove(tx, ids))
    }
    const wordOf = (id: number) => (id % 3 === 0 ? 'stones' : id % 50 === 0 ? 'silver birch' : 'nothing')
    const queries = [
      { every: ['rivers'] },
      { every: ['stones'], most: 100 },
      { any: ['silver birch'] },
      { every: ['😀'] },
      { every: ['gold'] },
      { every: ['nothing'] },
      { any: ['birch'] },
      { any: ['silver birch'], most: 100 },
      { any: ['birch', 'rivers silver'], most: 100 },
    ]
    const limit = 7
    const compare = async () => {
      const found = await index.newestOfEach(data.database.query, queries, limit)
      const plain = ['rivers', 'stones', 'silver birch', '😀', 'gold', 'nothing', 'birch', 'silver birch', 'birch'].map((word) =>
        [...bodies]
          .filter(([, body]) => body.includes(word))
          .map(([id]) => id)
          .sort((a, b) => b - a),
      )
      for (const [i, { ids, isAll }] of found.entries()) {
        expect(ids, String(i)).toEqual(plain[i]?.slice(0, Math.max(limit, ids.length)))
        expect(ids.length, String(i)).toBeGreaterThanOrEqual(Math.min(limit, plain[i]?.length ?? 0))
        if (isAll) expect(ids, String(i)).toEqual(plain[i])
        else expect(ids.length, String(i)).toBeGreaterThanOrEqual(limit)
      }
      return found
    }
    await remove(Object.keys(texts).map(Number))
    await put(Array.from({ length: 1200 }, (_, i) => ({ id: i + 10, body: `rivers ${wordOf(i + 10)}` })))
    const [rivers, , birch, emoji, gold, , , ...phrases] = await compare()
    expect([rivers?.isAll, birch?.isAll, emoji, gold]).toEqual([false, false, { ids: [], isAll: true }, { ids: [], isAll: true }])
    // All that have a phrase were looked at.
    if (data.dialect === 'sqlite') expect(phrases.map(({ isAll }) => isAll)).toEqual([true, true])
    if (data.dialect === 'postgres') {
      const { rows } = await sql<{ n: number }>`select count(*) as n from notes__text_new`.execute(data.database.query)
      expect(Number(rows[0]?.n)).toBe(21)
    }
    // What stands at the border, on both sides of it, and what is older than all.
    await put([1189, 1190, 1188, 3].map((id) => ({ id, body: 'rivers and gold' })))
    await compare()
    await remove([1189, 1209, 1208, 1190])
    await put([1189, 1300].map((id) => ({ id, body: 'silver birch' })))
    await compare()
    // Code of before, which still runs on other nodes, knows one table.
    if (data.dialect === 'postgres') {
      await data.database.write(async (tx) => {
        await sql`insert into notes__text (id, words, is_long) values (1400, 'rivers:1 stones:2', 0)`.execute(tx)
        await sql`update notes__text set words = 'silver:1 birch:2' where id = 1207`.execute(tx)
        await sql`delete from notes__text where id in (1206, 700)`.execute(tx)
      })
      bodies.set(1400, 'rivers stones').set(1207, 'silver birch')
      for (const id of [1206, 700]) bodies.delete(id)
      await compare()
    }
    // All that is recent goes: what comes then is found, and so is what lies between.
    await remove([...bodies.keys()].filter((id) => id > 1100))
    await put([{ id: 1101, body: 'stones' }])
    await compare()
    // Made once more, as a later migration does, it holds the same.
    await data.database.write((tx) => index.create(tx))
    await compare()
  })

  it('goes with all else that its plugin has stored, and can be made anew', async () => {
    const { data, index, all } = await library()
    await data.erase('notes')
    if (data.dialect === 'postgres') {
      const { rows } = await sql`select proname from pg_proc where left(proname, 7) = 'notes__'`.execute(data.database.query)
      expect(rows).toEqual([])
    }
    await data.migrate('notes', [{ name: '0001-text', up: (db) => index.create(db) }])
    await data.database.write((tx) => index.put(tx, [{ id: 1, body: 'rivers' }]))
    expect([await all('rivers'), await all('数据库')]).toEqual([[1], []])
  })

  it('can be read by a worker of its own, which cannot write', async () => {
    const { data, index } = await library()
    const reader = openReader(data.readerConfig)
    const { rows } = await index.matching({ every: ['数据库'] }).execute(reader.db)
    expect(rows).toEqual([{ id: 1 }])
    if (data.dialect === 'sqlite') await expect(index.remove(reader.db, [1])).rejects.toThrow(/readonly/)
    await reader.close()
  })
})
