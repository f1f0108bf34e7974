import { decodeId, encodeId, shortId } from '@stoa/sdk'
import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answered } from '../../answers/testing/index.ts'
import { experiencePath } from '../shared/api.ts'
import { draft, listed, posted } from '../testing/index.ts'
import { canonicalPath } from '../web/canonical-path.ts'

/** The same numbers in every run. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
const random = numbers(9)
const upTo = (most: number) => Math.floor(random() * most)
/** Small numbers as often as large ones. */
const anyNumber = () => Math.max(1, Math.floor(10 ** (random() * 12.9)))
const anyKind = () => 1 + upTo(999)
const CHARACTERS = 'aZ09-_E1D%é中😀 /?#.'
const anyText = () => Array.from({ length: upTo(14) }, () => [...CHARACTERS][upTo([...CHARACTERS].length)]).join('')

describe('a public id', () => {
  it('comes back from both of its forms', () => {
    for (let run = 0; run < 5000; run++) {
      const [kind, n] = [anyKind(), anyNumber()]
      expect(decodeId(encodeId(kind, n)), `${kind} ${n}`).toEqual({ kind, n })
      expect(decodeId(shortId(kind, n)), `${kind} ${n}`).toEqual({ kind, n })
    }
    expect([encodeId(1, 1), shortId(1, 1), shortId(2, 1)]).toEqual(['10010000000000001', 'D1D1', 'E1D1'])
  })

  it('differs from that of every other object', () => {
    const seen = new Map<string, string>()
    for (let run = 0; run < 5000; run++) {
      const [kind, n] = [anyKind(), anyNumber()]
      for (const form of [encodeId(kind, n), shortId(kind, n)]) {
        expect(seen.get(form) ?? `${kind} ${n}`, form).toBe(`${kind} ${n}`)
        seen.set(form, `${kind} ${n}`)
      }
    }
  })

  it('is read from nothing but its two forms', () => {
    for (let run = 0; run < 5000; run++) {
      const text = anyText()
      const found = decodeId(text)
      if (found) expect([encodeId(found.kind, found.n), shortId(found.kind, found.n)], text).toContain(text)
    }
  })
})

describe('the path of a post', () => {
  const anyPost = (permalink: number) => {
    const n = anyNumber()
    return {
      n,
      id: permalink > 2 ? shortId(1, n) : encodeId(1, n),
      url_title: ['a-title', '中文', 'topic', '10020000000000001'][upTo(4)] as string,
    }
  }
  const partsOf = (path: string) => {
    const [, , qid = '', slugPermalink, aid] = path.split('/')
    return { qid, slugPermalink, aid }
  }

  it('is its own canonical path under each permalink, with and without an answer', () => {
    for (let run = 0; run < 2000; run++) {
      const permalink = 1 + upTo(4)
      const post = anyPost(permalink)
      const n = anyNumber()
      const answerId = random() < 0.5 ? '' : permalink > 2 ? shortId(2, n) : encodeId(2, n)
      const path = experiencePath(permalink, post, answerId)
      expect(canonicalPath(permalink, partsOf(path), post), path).toEqual({ path, answerId })
    }
  })

  it('is reached from every path of the same post and answer in one step', () => {
    for (let run = 0; run < 2000; run++) {
      const permalink = 1 + upTo(4)
      const post = anyPost(permalink)
      const n = anyNumber()
      const answer = [encodeId(2, n), shortId(2, n)][upTo(2)]
      const asked =
        [{}, { slugPermalink: answer }, { slugPermalink: 'an-old-title', aid: answer }, { slugPermalink: anyText(), aid: anyText() }][
          upTo(4)
        ] ?? {}
      const first = canonicalPath(permalink, asked, post)
      expect(canonicalPath(permalink, partsOf(first.path), post), JSON.stringify(asked)).toEqual(first)
      if (Object.values(asked).includes(answer)) expect(decodeId(first.answerId)).toEqual({ kind: 2, n })
    }
  })
})

describe('links between posts', () => {
  const path = '/answer/api/v1/experience'
  let site: Site
  let mona: TestPerson
  let ana: TestPerson
  let ben: TestPerson

  beforeAll(async () => {
    site = await startSite()
    mona = await site.moderator('mona')
    ana = await site.member('ana')
    ben = await site.member('ben')
    await posted(mona)
  })
  afterAll(() => site.close())

  const setPermalink = async (permalink: number) => (await site.admin()).put('/answer/admin/api/siteinfo/seo', { permalink, robots: '' })
  const idsOf = (permalink: number, id: string) => (permalink > 2 ? shortId(decodeId(id)?.kind ?? 0, decodeId(id)?.n ?? 0) : id)
  const linkedTo = async (id: string, person = site.visitor()) =>
    (await person.get<{ list: { id: string }[] }>(`${path}/link`, { experience_id: id, page: 1, page_size: 20 })).data.list.map(
      (item) => item.id,
    )
  const countOf = async (id: string) => (await site.visitor().get<{ linked_count: number }>(`${path}/info`, { id })).data.linked_count

  it.each([1, 2, 3, 4])(
    'lead to the canonical address under permalink %i, whatever form they have, with their query',
    async (permalink) => {
      await setPermalink(permalink)
      const post = decodeId(await posted(ana, { title: '坐夜车去海边' }))?.n ?? 0
      const [long, short] = [encodeId(1, post), shortId(1, post)]
      const given = await answered(ben, long)
      const [answer, shortAnswer] = [encodeId(2, decodeId(given)?.n ?? 0), shortId(2, decodeId(given)?.n ?? 0)]
      const title = permalink % 2 === 1 ? '/zuo-ye-che-qu-hai-bian' : ''
      const home = `/experiences/${permalink > 2 ? short : long}${title}`
      const toAnswer = `${home}/${permalink > 2 ? shortAnswer : answer}`
      for (const id of [long, short]) {
        for (const behind of ['', '/old-title', '/zuo-ye-che-qu-hai-bian', '/nonsense/nonsense'])
          await expectCanonical(`/experiences/${id}${behind}`, home)
        for (const last of [answer, shortAnswer])
          for (const between of ['', '/old-title']) await expectCanonical(`/experiences/${id}${between}/${last}`, toAnswer)
      }
    },
  )

  async function expectCanonical(asked: string, canonical: string): Promise<void> {
    const query = '?order=vote&commentId=10070000000000001'
    const response = await fetch(`${site.url}${asked}${query}`, { redirect: 'manual' })
    const where = [response.status, response.headers.get('location')]
    expect(where, asked).toEqual(asked === canonical ? [200, null] : [302, `${canonical}${query}`])
  }

  it.each([1, 4])(
    'name posts and answers in the same form everywhere under permalink %i, and every call takes both forms',
    async (permalink) => {
      await setPermalink(permalink)
      const post = decodeId(await posted(ana))?.n ?? 0
      const long = encodeId(1, post)
      const answer = encodeId(2, decodeId(await answered(ben, shortId(1, post)))?.n ?? 0)
      for (const id of [long, shortId(1, post)]) {
        const { data } = await ana.get<{ id: string }>(`${path}/info`, { id })
        expect(data.id).toBe(idsOf(permalink, long))
        const page = await ana.get<{ list: { id: string; experience_id: string }[] }>('/answer/api/v1/answer/page', {
          experience_id: id,
          page: 1,
          page_size: 9,
        })
        expect(page.data.list.map((item) => [item.id, item.experience_id])).toEqual([[idsOf(permalink, answer), idsOf(permalink, long)]])
        for (const about of [id, answer, shortId(2, decodeId(answer)?.n ?? 0)]) {
          const asked = { object_id: about, page: 1, page_size: 9 }
          expect((await ana.get('/answer/api/v1/comment/page', asked)).status, about).toBe(200)
          expect((await mona.post('/answer/api/v1/vote/up', { object_id: about, is_cancel: false })).status, about).toBe(200)
        }
        expect((await ana.put(path, { ...draft(), id })).status).toBe(200)
        expect((await mona.put(`${path}/status`, { id, close_type: 63, close_msg: '' })).status).toBe(200)
        expect((await mona.put(`${path}/reopen`, { experience_id: id })).status).toBe(200)
        expect((await mona.put(`${path}/operation`, { id, operation: 'pin' })).status).toBe(200)
        expect((await mona.put(`${path}/operation`, { id, operation: 'unpin' })).status).toBe(200)
        for (const call of [`${path}/link`, `${path}/similar/tag`])
          expect((await ana.get(call, { experience_id: id, page: 1, page_size: 9 })).status).toBe(200)
        expect((await ana.get('/answer/api/v1/revisions/edit/check', { id })).status).toBe(200)
      }
      for (const id of [answer, shortId(2, decodeId(answer)?.n ?? 0)]) {
        expect((await ana.post('/answer/api/v1/answer/acceptance', { experience_id: long, answer_id: id })).status).toBe(200)
        expect((await ana.get(`/answer/api/v1/answer/info`, { id })).status).toBe(200)
        expect((await mona.del('/answer/api/v1/answer', { id })).status).toBe(200)
        expect((await mona.post('/answer/api/v1/answer/recover', { answer_id: id })).status).toBe(200)
      }
      await setPermalink(2)
    },
  )

  it('count a linking post once, however many of its texts name the other', async () => {
    const target = await posted(ana)
    const source = await posted(ben, { content: `As in #${target} and ${site.url}/experiences/${target}/whatever.` })
    expect([await linkedTo(target), await countOf(target)]).toEqual([[source], 1])
    const answer = await answered(ana, source, `Not quite as in #${target}, I think.`)
    expect([await linkedTo(target), await countOf(target)]).toEqual([[source], 1])
    await ben.put(path, { ...draft(), id: source })
    expect([await linkedTo(target), await countOf(target)]).toEqual([[source], 1])
    await ana.put('/answer/api/v1/answer', { id: answer, experience_id: source, content: 'No link any more.' })
    expect([await linkedTo(target), await countOf(target)]).toEqual([[], 0])
  })

  it('go and come with the answer and with the post that makes them', async () => {
    const target = await posted(ana)
    const source = await posted(ben)
    const answer = await answered(ana, source, `Much as in #${target}, I think.`)
    expect(await countOf(target)).toBe(1)
    await ana.del('/answer/api/v1/answer', { id: answer })
    expect([await linkedTo(target), await countOf(target)]).toEqual([[], 0])
    await ana.post('/answer/api/v1/answer/recover', { answer_id: answer })
    expect(await countOf(target)).toBe(1)
    await mona.put(`${path}/operation`, { id: source, operation: 'hide' })
    expect([await linkedTo(target), await countOf(target)]).toEqual([[], 0])
    await mona.put(`${path}/operation`, { id: source, operation: 'show' })
    await mona.del(path, { id: source })
    expect([await linkedTo(target), await countOf(target)]).toEqual([[], 0])
    await mona.post(`${path}/recover`, { experience_id: source })
    expect([await linkedTo(target), await countOf(target)]).toEqual([[source], 1])
    expect((await listed(site.visitor(), { order: 'frequent', page_size: 3 })).ids).toContain(target)
  })

  it('include a duplicate to its original while it is closed', async () => {
    const original = await posted(ana)
    const duplicate = await posted(ben)
    await mona.put(`${path}/status`, { id: duplicate, close_type: 60, close_msg: `${site.url}/experiences/${original}` })
    expect([await linkedTo(original), await countOf(original)]).toEqual([[duplicate], 1])
    await mona.put(`${path}/reopen`, { experience_id: duplicate })
    expect([await linkedTo(original), await countOf(original)]).toEqual([[], 0])
  })

  it('are counted right when two texts of a post change at once', async () => {
    const target = await posted(ana)
    const source = await posted(ben)
    await Promise.all([
      answered(ana, source, `First, as in #${target}, I think.`),
      answered(mona, source, `Second, as in #${target}, I think.`),
    ])
    expect([await linkedTo(target), await countOf(target)]).toEqual([[source], 1])
  })

  it('to addresses with an old title still arrive', async () => {
    await setPermalink(1)
    const id = await posted(ana, { title: 'The title before' })
    await ana.put(path, { ...draft({ title: 'The title after' }), id })
    const response = await fetch(`${site.url}/experiences/${id}/the-title-before?order=vote`, { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([302, `/experiences/${id}/the-title-after?order=vote`])
  })
})
