import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answered } from '../../answers/testing/index.ts'
import { posted } from '../../experiences/testing/index.ts'

const API = '/answer/api/v1'

describe('muting', () => {
  let site: Site
  let ana: TestPerson
  let ben: TestPerson
  let post: string

  beforeAll(async () => {
    site = await startSite({ plugins: ['muting', 'notifications', 'answers', 'comments', 'invitations', 'votes', 'tags', 'locale-en-us'] })
    await (await site.admin()).put('/answer/admin/api/setting/privileges', { level: 1 })
    ana = await site.member('ana')
    ben = await site.member('ben')
    await posted(await site.moderator('mona'))
    post = await posted(ana)
  })
  afterAll(async () => {
    expect(site?.errors ?? []).toEqual([])
    await site?.close()
  })

  const mute = (person: TestPerson, username: unknown, on: unknown = true) => person.put(`${API}/user/mute`, { username, mute: on })
  const mutedBy = async (person: TestPerson) =>
    (await person.get<{ list: { person: { username: string } }[] }>(`${API}/personal/mute/page`)).data.list.map(
      (row) => row.person.username,
    )
  const told = async (person: TestPerson) => {
    await site.idle()
    const { data } = await person.get<{ list: { user_info: { username: string } }[] }>(`${API}/notification/page`, {
      type: 'inbox',
      page_size: 50,
    })
    return (data.list ?? []).map((row) => row.user_info?.username)
  }
  const comment = (person: TestPerson, object_id: string, text: string) =>
    person.post(`${API}/comment`, { object_id, original_text: text, reply_comment_id: '' })
  const comments = async (person: TestPerson, object_id: string) =>
    (await person.get<{ list: { parsed_text: string; original_text: string; username: string }[] }>(`${API}/comment/page`, { object_id }))
      .data.list

  it('is done once and taken back, and stands in a list of whoever did it', async () => {
    for (let n = 0; n < 2; n++) expect(await mute(ana, 'BEN')).toMatchObject({ status: 200, data: { muted: true } })
    expect(await mutedBy(ana)).toEqual(['ben'])
    expect(await mutedBy(ben)).toEqual([])
    expect((await ana.get(`${API}/user/mute`, { username: 'ben' })).data).toEqual({ muted: true, can_mute: true })
    expect(await mute(ana, 'ben', false)).toMatchObject({ data: { muted: false } })
    expect((await mute(ana, 'ben', false)).status).toBe(200)
    expect(await mutedBy(ana)).toEqual([])
  })

  it('keeps answers, mentions, comments and invitations of the muted person from being told, and nobody else’s', async () => {
    const cai = await site.member('cai')
    await mute(ana, 'ben')
    await answered(ben, post)
    await comment(ben, post, '@ana look at this, please')
    const other = await posted(ben)
    await ben.put(`${API}/experience/invite`, { id: other, invite_user: ['ana'] })
    expect(await told(ana)).toEqual([])
    await comment(cai, post, 'I have been there as well')
    expect(await told(ana)).toEqual(['cai'])
    await mute(ana, 'ben', false)
    await comment(ben, post, 'Now this is something else')
    expect((await told(ana)).sort()).toContain('ben')
  })

  it('folds comments of the muted person, for whoever muted them alone', async () => {
    const dan = await site.member('dan')
    await mute(dan, 'ben')
    const folded = (await comments(dan, post)).filter(({ username }) => username === 'ben')
    expect(folded.length).toBeGreaterThan(0)
    for (const { parsed_text, original_text } of folded) {
      expect(parsed_text).toMatch(/^<details><summary>Comment by somebody you have muted<\/summary>.*<\/details>$/s)
      expect(original_text).not.toContain('details')
    }
    for (const reader of [site.visitor(), ana, dan]) {
      const others = (await comments(reader, post)).filter(({ username }) => reader !== dan || username !== 'ben')
      expect(others.some(({ parsed_text }) => parsed_text.includes('<details>'))).toBe(false)
    }
    await site.switch('muting', false)
    expect((await comments(dan, post)).some(({ parsed_text }) => parsed_text.includes('<details>'))).toBe(false)
    await site.switch('muting', true)
    expect(await mutedBy(dan)).toEqual(['ben'])
  })

  it('is not done to oneself, to staff or to nobody, and never answers a wrong body with a fault', async () => {
    expect((await mute(ana, 'ana')).reason).toBe('error.muting.yourself')
    expect((await mute(ana, 'mona')).reason).toBe('error.muting.staff')
    expect((await ana.get(`${API}/user/mute`, { username: 'mona' })).data).toEqual({ muted: false, can_mute: false })
    expect(await mute(ana, 'nobody-here')).toMatchObject({ status: 404, reason: 'error.muting.not_found' })
    for (const [username, on] of [
      ['', true],
      ['x'.repeat(101), true],
      [7, true],
      ['ben', 'yes'],
      [null, null],
    ])
      expect((await mute(ana, username, on)).status).toBe(400)
    expect((await ana.put(`${API}/user/mute`, [])).status).toBe(400)
  })

  it('is for active members', async () => {
    for (const person of [site.visitor(), await site.member('ina', 'inactive'), await site.member('sue', 'suspended')]) {
      expect([401, 403]).toContain((await mute(person, 'ben')).status)
      expect([401, 403]).toContain((await person.get(`${API}/user/mute`, { username: 'ben' })).status)
      expect([401, 403]).toContain((await person.get(`${API}/personal/mute/page`)).status)
    }
  })
})
