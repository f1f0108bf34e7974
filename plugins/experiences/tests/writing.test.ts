import { encodeId } from '@stoa/sdk'
import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { draft, listed, post, posted } from '../testing/index.ts'

const path = '/answer/api/v1/experience'

describe('writing an experience', () => {
  let site: Site
  let admin: TestPerson
  let ana: TestPerson
  let ben: TestPerson

  beforeAll(async () => {
    site = await startSite({ plugins: ['experiences', 'tags'] })
    admin = await site.admin()
    ana = await site.member('ana')
    ben = await site.member('ben')
    await posted(admin)
  })
  afterAll(() => site.close())

  const fields = (reply: { data: { error_field: string }[] }) => reply.data.map((entry) => entry.error_field)

  it('asks who somebody is before it looks at what they sent', async () => {
    expect((await site.visitor().post(path, {})).status).toBe(401)
    expect((await site.visitor().put(path, {})).status).toBe(401)
  })

  it('names everything that is missing at once', async () => {
    const reply = await ana.post(path, {})
    expect([reply.status, reply.reason]).toEqual([400, 'base.request_format_error'])
    expect(fields(reply)).toEqual(['title', 'content', 'tags', 'tags'])
    expect(fields(await ana.put(path, {}))).toEqual(['id', 'title', 'content', 'tags'])
  })

  it('refuses what is no tag as an error of the field', async () => {
    for (const tags of [[null], ['x'], [{ slug_name: 5 }], null, [], {}, 'x', Array(5_000).fill({ slug_name: 'x' })]) {
      const reply = await ana.post(path, { ...draft(), tags })
      expect([reply.status, new Set(fields(reply))], JSON.stringify(tags).slice(0, 40)).toEqual([400, new Set(['tags'])])
    }
  })

  it('takes tags with everything that clients send along', async () => {
    const tag = {
      slug_name: 'travel',
      display_name: 'Travel',
      original_text: null,
      parsed_text: '<p></p>',
      recommend: false,
      reserved: false,
      main_tag_slug_name: '',
    }
    const reply = await ana.post(path, { ...draft(), tags: [tag], captcha_id: null, mention_username_list: null })
    expect(reply.status, reply.text).toBe(200)
  })

  it('gives the whole post back, rendered and without scripts', async () => {
    const reply = await post(ana, { title: '坐夜车去海边', content: '带上**耳塞** <script>alert(1)</script>' })
    expect(reply.status).toBe(200)
    expect(reply.data).toMatchObject({
      url_title: 'zuo-ye-che-qu-hai-bian',
      status: 1,
      show: 1,
      pin: 1,
      accepted_answer_id: '0',
      extends_actions: [],
    })
    expect(reply.data.html).toContain('<strong>耳塞</strong>')
    expect(reply.data.html).not.toContain('<script')
  })

  it('shows the same in the preview as it stores', async () => {
    const content = `@ana wrote #${encodeId(1, 1)}:\n\n>! - [x] done[^1]\n\n[^1]: note`
    const { html } = (await post(ana, { title: '坐夜车去海边', content })).data
    expect((await ana.post('/answer/api/v1/post/render', { content })).data).toBe(html)
    expect(html).toMatch(/href="\/users\/ana".* href="\/experiences\/\d{17}"/)
  })

  it('does not take the same twice', async () => {
    const body = draft()
    expect((await ana.post(path, body)).status).toBe(200)
    expect((await ana.post(path, body)).reason).toBe('base.duplicate_request_error')
  })

  it('lets newcomers post two links', async () => {
    const reply = await post(ana, { content: 'https://a.example https://b.example https://c.example' })
    expect([reply.status, fields(reply as never)]).toEqual([400, ['content']])
  })

  it('lets authors and staff rewrite, others not yet', async () => {
    const id = await posted(ana)
    const body = { ...draft(), id }
    expect((await ben.put(path, body)).reason).toBe('error.rank.fail_to_meet_the_condition')
    expect((await ana.put(path, body)).data).toMatchObject({ wait_for_review: false })
    expect((await ana.put(path, body)).data).toEqual({ url_title: '', wait_for_review: false })
    expect((await admin.put(path, { ...body, title: 'Rewritten by staff' })).data.url_title).toBe('rewritten-by-staff')
    const { data } = await site.visitor().get(`${path}/info`, { id })
    expect(data).toMatchObject({ title: 'Rewritten by staff', user_info: { username: 'ana' } })
    expect(data.edit_time).toBeGreaterThan(0)
  })

  it('hides a deleted post from all but its author and staff', async () => {
    const id = await posted(ana)
    expect((await ben.del(path, { id })).status).toBe(403)
    expect((await ana.del(path, { id })).status).toBe(200)
    expect((await ben.get(`${path}/info`, { id })).reason).toBe('error.experience.not_found')
    expect((await site.visitor().get(`${path}/info`, { id })).status).toBe(404)
    expect((await ana.get(`${path}/info`, { id })).data.operation.level).toBe('danger')
    expect((await ana.del(path, { id })).reason).toBe('error.experience.already_deleted')
    expect((await listed(site.visitor())).ids).not.toContain(id)
    expect((await ben.post(`${path}/recover`, { experience_id: id })).status).toBe(403)
    expect((await admin.post(`${path}/recover`, { experience_id: id })).status).toBe(200)
    expect((await listed(site.visitor())).ids).toContain(id)
  })

  it('counts for its author while it stands in public lists', async () => {
    const count = async () => (await ben.get('/answer/api/v1/personal/user/info', { username: 'cai' })).data.experience_count
    const cai = await site.member('cai')
    const id = await posted(cai)
    expect(await count()).toBe(1)
    for (const [operation, left] of [
      ['hide', 0],
      ['show', 1],
    ] as const) {
      await admin.put(`${path}/operation`, { id, operation })
      expect(await count(), operation).toBe(left)
    }
    await admin.put(`${path}/operation`, { id, operation: 'hide' })
    await cai.del(path, { id })
    expect(await count()).toBe(0)
    await admin.post(`${path}/recover`, { experience_id: id })
    expect(await count()).toBe(0)
    await admin.put(`${path}/operation`, { id, operation: 'show' })
    expect(await count()).toBe(1)
  })

  it('is closed by staff with a reason that readers see', async () => {
    const id = await posted(ana)
    const close = (person: TestPerson, close_type: number, close_msg: string) => person.put(`${path}/status`, { id, close_type, close_msg })
    expect((await close(ben, 63, '')).status).toBe(403)
    expect((await close(admin, 9999, '')).reason).toBe('error.report.not_found')
    expect((await close(admin, 60, 'nonsense')).reason).toBe('error.common.invalid_url')
    expect((await close(admin, 59, 'Told twice already')).status).toBe(200)
    expect((await ben.get(`${path}/info`, { id })).data).toMatchObject({
      status: 2,
      operation: { level: 'info', msg: 'Told twice already' },
    })
    expect((await admin.put(`${path}/reopen`, { experience_id: id })).status).toBe(200)
    expect((await ben.get(`${path}/info`, { id })).data.operation).toBeUndefined()
  })

  it('offers each person what they may do', async () => {
    const id = await posted(ana)
    const actions = async (person: TestPerson) =>
      (await person.get(`${path}/info`, { id })).data.member_actions
        .map((entry: { action: string }) => entry.action)
        .filter((action: string) => action !== 'report')
    expect(await actions(site.visitor())).toEqual([])
    expect(await actions(ben)).toEqual([])
    expect(await actions(ana)).toEqual(['edit', 'close', 'delete'])
    expect(await actions(admin)).toEqual(['edit', 'close', 'pin', 'hide', 'delete'])
  })

  it('answers 4xx for what is not there', async () => {
    const id = '10010000000099999'
    expect((await admin.get('/answer/api/v1/revisions/edit/check', { id })).reason).toBe('error.object.not_found')
    expect((await admin.put(`${path}/operation`, { id, operation: 'pin' })).reason).toBe('error.experience.not_found')
    expect((await admin.put(`${path}/operation`, { id, operation: 'glue' })).status).toBe(400)
    expect((await admin.del(path, { id })).status).toBe(400)
    for (const wrong of ['nonsense', "1' or '1'='1", '99999999999999999999999999', '10030000000000001']) {
      expect((await admin.get(`${path}/info`, { id: wrong })).reason, wrong).toBe('error.experience.not_found')
    }
  })

  it('counts a reader once', async () => {
    const id = await posted(ana)
    const views = async (person: TestPerson) => (await person.get(`${path}/info`, { id })).data.view_count
    expect([await views(ben), await views(ben), await views(admin), await views(ben)]).toEqual([1, 1, 2, 2])
    const inList = async () => (await ben.get(`${path}/page`, { page_size: 1 })).data.list[0].view_count
    await expect.poll(inList, { timeout: 20_000, interval: 500 }).toBe(2)
    expect(await views(site.visitor())).toBe(3)
  })

  it('links posts that mention each other', async () => {
    const target = await posted(ana)
    const source = await posted(ben, { content: `As in #${target}, but slower.` })
    const { data } = await site.visitor().get(`${path}/link`, { experience_id: target, page: 1, page_size: 10 })
    expect(data.list.map((item: { id: string }) => item.id)).toEqual([source])
    const later = await posted(ben, { content: `Also like #${target}.` })
    const linked = async (order: string) =>
      (await ana.get(`${path}/link`, { experience_id: target, order })).data.list.map((item: { id: string }) => item.id)
    expect(await linked('newest')).toEqual([later, source])
    site.advance(60)
    await admin.put(path, { ...draft({ content: `As in #${target}, edited.` }), id: source })
    expect((await linked('active'))[0]).toBe(source)
    for (const order of ['hot', 'score', 'unanswered', 'frequent', 'recommend'])
      expect(new Set(await linked(order)), order).toEqual(new Set([source, later]))
    expect((await listed(site.visitor(), { order: 'frequent', page_size: 1 })).ids).toEqual([target])
  })

  it('works without tags', async () => {
    await site.switch('tags', false)
    const id = await posted(ana, { tags: [] })
    expect((await site.visitor().get(`${path}/info`, { id })).data.tags).toEqual([])
    expect((await listed(site.visitor(), { page_size: 1 })).ids).toEqual([id])
    await site.switch('tags', true)
    expect((await listed(site.visitor(), { page_size: 1 })).ids).toEqual([id])
  })
})
