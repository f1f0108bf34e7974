import type { Query, Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { posted } from '../../plugins/experiences/testing/index.ts'
import { apiDocument } from '../support/surface.ts'

const API = '/answer/api/v1'

/** One of each, by different people: what somebody may see of them depends on the post, or on the answer. */
interface Things {
  post: string
  answer: string
  /** On the post. */
  remark: string
  /** On the answer. */
  aside: string
  word: string
}

type Who = 'visitor' | 'other' | 'author' | 'answerer' | 'staff'

describe('what is deleted or unlisted', () => {
  let site: Site
  let people: Record<Who, TestPerson>
  /** Links to every post of this test. */
  let running = 0

  beforeAll(async () => {
    site = await startSite()
    const [author, answerer, other] = [await site.member('ana'), await site.member('ben'), await site.member('cai')]
    people = { visitor: site.visitor(), other, author, answerer, staff: await site.moderator() }
    await posted(await site.admin(), { tags: ['amber'] })
    await (await site.admin()).put('/answer/admin/api/setting/privileges', { level: 1 })
  })
  afterAll(() => site.close())

  const done = async <T>(call: Promise<{ status: number; text: string; data: T }>): Promise<T> => {
    const { status, text, data } = await call
    expect(status, text).toBe(200)
    return data
  }

  async function made(): Promise<Things> {
    running += 1
    const word = `quartz${running}`
    const post = await posted(people.author, { title: `All about ${word}`, content: `What is known of ${word} so far.`, tags: ['amber'] })
    const { info } = await done(people.answerer.post(`${API}/answer`, { experience_id: post, content: `An answer about ${word}.` }))
    const remark = await done(people.other.post(`${API}/comment`, { object_id: post, original_text: `A remark on ${word}` }))
    const aside = await done(people.other.post(`${API}/comment`, { object_id: info.id, original_text: `An aside on ${word}` }))
    await done(people.other.post(`${API}/vote/up`, { object_id: post, is_cancel: false }))
    await done(people.other.post(`${API}/vote/up`, { object_id: info.id, is_cancel: false }))
    const target = await posted(people.author, { title: `What to read before number ${running}`, content: 'Nothing else.', tags: ['amber'] })
    await done(people.author.put(`${API}/experience`, { id: post, title: `All about ${word}`, content: `What is known of ${word}: #${target}`, tags: [{ slug_name: 'amber', display_name: 'amber', original_text: '' }] }))
    targets.set(post, target)
    await site.idle()
    return { post, answer: info.id, remark: remark.comment_id, aside: aside.comment_id, word }
  }
  const targets = new Map<string, string>()

  /** Every place where a post, its answer or a comment could show; true where it does. */
  async function places(who: Who, { post, answer, remark, aside, word }: Things): Promise<Record<string, boolean>> {
    const person = people[who]
    const shows = async (path: string, query: Query, wanted: string | RegExp = word) => {
      const { status, text } = await person.get(`${API}/${path}`, query)
      expect(status, `${path} ${text}`).toBeLessThan(500)
      return status === 200 && (typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text))
    }
    const all = { page: 1, page_size: 100 }
    return {
      detail: await shows('experience/info', { id: post }),
      answers: await shows('answer/page', { experience_id: post, ...all }, answer),
      answer: await shows('answer/info', { id: answer }),
      comments: await shows('comment/page', { object_id: post, ...all }, remark),
      asides: await shows('comment/page', { object_id: answer, ...all }, aside),
      newest: await shows('experience/page', { ...all, order: 'newest' }, post),
      active: await shows('experience/page', { ...all, order: 'active' }, post),
      score: await shows('experience/page', { ...all, order: 'score' }, post),
      hot: await shows('experience/page', { ...all, order: 'hot' }, post),
      tagged: await shows('experience/page', { ...all, tag: 'amber' }, post),
      byPerson: await shows('experience/page', { ...all, username: 'ana' }, post),
      related: await shows('experience/similar/tag', { experience_id: targets.get(post) }, post),
      alike: await shows('experience/alike', { experience_id: targets.get(post) }, post),
      linked: await shows('experience/link', { experience_id: targets.get(post), ...all }, post),
      similar: who !== 'visitor' && (await shows('experience/similar', { title: word }, post)),
      searched: await shows('search', { q: word, order: 'newest', size: 50 }),
      searchedByPerson: await shows('search', { q: `user:ben ${word}`, order: 'newest', size: 50 }),
      profile: await shows('personal/experience/page', { username: 'ana', ...all }, post),
      profileTop: await shows('personal/qa/top', { username: 'ana' }, post),
      profileAnswers: await shows('personal/answer/page', { username: 'ben', ...all }, answer),
      profileComments: await shows('personal/comment/page', { username: 'cai', ...all }, remark),
      profileAsides: await shows('personal/comment/page', { username: 'cai', ...all }, aside),
      ownVotes: who !== 'visitor' && (await shows('personal/vote/page', all, post)),
    }
  }
  const shown = async (who: Who, things: Things): Promise<string[]> =>
    Object.entries(await places(who, things))
      .filter(([, isShown]) => isShown)
      .map(([place]) => place)

  const everywhere = ['detail', 'answers', 'answer', 'comments', 'asides', 'newest', 'active', 'score', 'hot', 'tagged', 'byPerson', 'linked', 'searched', 'searchedByPerson', 'profile', 'profileAnswers', 'profileComments', 'profileAsides']

  it('shows first, so that this test would notice', async () => {
    const things = await made()
    expect(await shown('visitor', things)).toEqual(expect.arrayContaining(everywhere))
    expect(await shown('other', things)).toEqual(expect.arrayContaining([...everywhere, 'similar', 'ownVotes']))
  })

  it('is gone for others when its post was deleted, and open to author and staff by address', async () => {
    const things = await made()
    await done(people.staff.del(`${API}/experience`, { id: things.post }))
    await site.idle()
    for (const who of ['visitor', 'other', 'answerer'] as const) expect(await shown(who, things), who).toEqual([])
    const byAddress = ['detail', 'answers', 'answer', 'comments', 'asides']
    expect(await shown('author', things)).toEqual(byAddress)
    expect(await shown('staff', things)).toEqual(byAddress)
  })

  it('takes nothing any more, from nobody who cannot see it', async () => {
    const things = await made()
    await done(people.staff.del(`${API}/experience`, { id: things.post }))
    const tags = [{ slug_name: 'amber', display_name: 'amber', original_text: '' }]
    const writes: [string, string, object][] = [
      ['POST', 'answer', { experience_id: things.post, content: 'An answer to what is gone' }],
      ['PUT', 'answer', { id: things.answer, experience_id: things.post, content: 'Another answer to what is gone' }],
      ['POST', 'answer/acceptance', { experience_id: things.post, answer_id: things.answer }],
      ['POST', 'comment', { object_id: things.post, original_text: 'A remark on what is gone' }],
      ['POST', 'comment', { object_id: things.answer, original_text: 'An aside on what is gone' }],
      ['PUT', 'comment', { comment_id: things.remark, original_text: 'Another remark on what is gone' }],
      ['POST', 'vote/up', { object_id: things.post, is_cancel: false }],
      ['POST', 'vote/up', { object_id: things.post, is_cancel: true }],
      ['POST', 'vote/up', { object_id: things.answer, is_cancel: false }],
      ['POST', 'vote/up', { object_id: things.remark, is_cancel: false }],
      ['POST', 'vote/up', { object_id: things.aside, is_cancel: false }],
      ['PUT', 'experience', { id: things.post, title: 'A title come back', content: 'Edited after deletion.', tags }],
      ['PUT', 'experience/status', { id: things.post, close_type: 63, close_msg: '' }],
      ['PUT', 'experience/operation', { id: things.post, operation: 'pin' }],
    ]
    for (const [method, path, body] of writes) {
      for (const who of ['other', 'answerer', 'author', 'staff'] as const) {
        const init = { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
        const { status } = await people[who].fetch(`${API}/${path}`, init)
        expect([method, path, who, status >= 400 && status < 500 ? 'refused' : status]).toEqual([method, path, who, 'refused'])
      }
    }
    const check = await people.other.get(`${API}/revisions/edit/check`, { id: things.post })
    expect(check.status).toBe(400)
  })

  it('stays at its address when it is unlisted, and in no list but its author’s own and that of staff', async () => {
    const things = await made()
    await done(people.staff.put(`${API}/experience/operation`, { id: things.post, operation: 'hide' }))
    await site.idle()
    const byAddress = ['detail', 'answers', 'answer', 'comments', 'asides']
    expect(await shown('visitor', things)).toEqual(byAddress)
    expect(await shown('answerer', things)).toEqual(byAddress)
    // Who voted finds the vote again.
    expect(await shown('other', things)).toEqual([...byAddress, 'ownVotes'])
    expect(await shown('author', things)).toEqual([...byAddress, 'profile'])
    expect(await shown('staff', things)).toEqual([...byAddress, 'profile'])
  })

  it('is hidden with its comments when an answer was deleted, but for who wrote it and staff', async () => {
    const things = await made()
    await done(people.staff.del(`${API}/answer`, { id: things.answer }))
    await site.idle()
    const ofAnswer = ['answers', 'answer', 'asides', 'searchedByPerson', 'profileAnswers', 'profileAsides']
    const of = async (who: Who) => (await shown(who, things)).filter((place) => ofAnswer.includes(place))
    for (const who of ['visitor', 'other', 'author'] as const) expect(await of(who), who).toEqual([])
    expect(await of('answerer')).toEqual(['answers', 'answer', 'asides'])
    expect(await of('staff')).toEqual(['answers', 'answer', 'asides'])
  })

  it('comes back everywhere when it is restored', async () => {
    const things = await made()
    await done(people.staff.put(`${API}/experience/operation`, { id: things.post, operation: 'hide' }))
    await done(people.author.put(`${API}/experience`, { id: things.post, title: `Once more ${things.word}`, content: `Edited: ${things.word} #${targets.get(things.post)}`, tags: [{ slug_name: 'amber', display_name: 'amber', original_text: '' }] }))
    await done(people.staff.del(`${API}/experience`, { id: things.post }))
    await done(people.staff.post(`${API}/experience/recover`, { experience_id: things.post }))
    await site.idle()
    expect(await shown('visitor', things)).not.toContain('newest')
    await done(people.staff.put(`${API}/experience/operation`, { id: things.post, operation: 'show' }))
    await site.idle()
    expect(await shown('visitor', things)).toEqual(expect.arrayContaining(everywhere))
  })
})

describe('a private site', () => {
  it('answers nothing but what leads in, to visitors, unactivated and suspended people', async () => {
    const site = await startSite()
    const member = await site.member('ana')
    const kept: [TestPerson, number][] = [
      [site.visitor(), 401],
      [await site.member('eli', 'inactive'), 403],
      [await site.member('sue', 'suspended'), 403],
    ]
    const admin = await site.admin()
    await admin.put('/answer/admin/api/siteinfo/login', { login_required: true })
    const { paths } = await apiDocument(site)
    const open = Object.entries(paths).filter(([, { get }]) => (get as unknown as { 'x-access': string } | undefined)?.['x-access'] === 'visitor')
    expect(open.length).toBeGreaterThan(20)
    for (const path of open.map(([path]) => path.replace(/\{\w+\}/g, '10010000000000001'))) {
      for (const [person, status] of kept) expect([path, person.name, (await person.get(path)).status]).toEqual([path, person.name, status])
      expect((await member.get(path)).status, path).not.toBe(401)
    }
    for (const path of [`${API}/siteinfo`, `${API}/language/options`, `${API}/user/info`, `${API}/plugin/status`]) {
      expect((await site.visitor().get(path)).status, path).toBe(200)
    }
    await site.close()
  })
})
