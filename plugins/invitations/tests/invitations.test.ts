import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { detailOf } from '../../answers/testing/index.ts'
import { posted } from '../../experiences/testing/index.ts'

const path = '/answer/api/v1/experience/invite'

describe('inviting people to answer', () => {
  let site: Site
  let ana: TestPerson
  let ben: TestPerson
  let cai: TestPerson
  let mona: TestPerson
  let admin: TestPerson

  beforeAll(async () => {
    site = await startSite({ plugins: ['answers', 'invitations'] })
    ana = await site.member('ana')
    ben = await site.member('ben')
    cai = await site.member('cai')
    mona = await site.moderator('mona')
    admin = await site.admin()
  })
  afterAll(() => site.close())

  const invite = (person: TestPerson, id: string, invite_user: unknown) => person.put(path, { id, invite_user })
  const invited = async (id: string, person = site.visitor()) =>
    ((await person.get(path, { id })).data as { username: string }[]).map(({ username }) => username)
  const threshold = async (value: number) => {
    const { data } = await admin.get('/answer/admin/api/setting/privileges')
    const custom_privileges = data.options[0].privileges.map((entry: { key: string; value: number }) => ({
      key: entry.key,
      value: entry.key.endsWith('invite_someone_to_answer') ? value : entry.value,
    }))
    await admin.put('/answer/admin/api/setting/privileges', { level: 99, custom_privileges })
  }

  it('is up to the author, who replaces the whole list', async () => {
    const post = await posted(ana)
    expect(await invited(post)).toEqual([])
    expect((await invite(ana, post, ['ben', 'cai'])).status).toBe(200)
    expect(await invited(post)).toEqual(['ben', 'cai'])
    await invite(ana, post, ['CAI', 'cai'])
    expect(await invited(post)).toEqual(['cai'])
    await invite(ana, post, [])
    expect(await invited(post)).toEqual([])
  })

  it('needs reputation of everybody else, and the post says who may', async () => {
    const post = await posted(ana)
    const offered = async (person: TestPerson) =>
      ((await detailOf(person, post)).extends_actions as { action: string }[]).map(({ action }) => action)
    await threshold(500)
    expect((await invite(ben, post, ['cai'])).status).toBe(403)
    expect(await offered(ben)).toEqual([])
    expect(await offered(site.visitor())).toEqual([])
    for (const person of [ana, mona, admin]) expect(await offered(person), person.name).toEqual(['invite_other_to_answer'])
    await threshold(1)
    expect(await offered(ben)).toEqual(['invite_other_to_answer'])
    expect((await invite(ben, post, ['cai'])).status).toBe(200)
    expect((await invite(site.visitor(), post, ['cai'])).status).toBe(401)
  })

  it('lets others leave out only whom they invited themselves', async () => {
    await threshold(1)
    const post = await posted(ana)
    await invite(ana, post, ['ben'])
    await invite(cai, post, ['mona'])
    expect(await invited(post)).toEqual(['ben', 'mona'])
    await invite(cai, post, [])
    expect(await invited(post)).toEqual(['ben'])
    await invite(mona, post, [])
    expect(await invited(post)).toEqual([])
  })

  it('stands in the post as its readers see it', async () => {
    const post = await posted(ana)
    expect((await detailOf(ben, post)).beside).toBeUndefined()
    await invite(ana, post, ['ben'])
    expect((await detailOf(site.visitor(), post)).beside).toMatchObject({ invitations: [{ username: 'ben', status: 'normal' }] })
  })

  it('names who cannot be invited, and then invites nobody', async () => {
    const post = await posted(ana)
    const sue = await site.member('sue')
    await admin.put('/answer/admin/api/user/status', { user_id: String(sue.id), status: 'suspended' })
    for (const [name, why] of [
      ['nobody', 'There is no active member called nobody.'],
      ['sue', 'There is no active member called sue.'],
      ['ana', 'ana wrote this post and cannot be invited to answer it.'],
    ] as const) {
      const refused = await invite(ana, post, ['ben', name])
      expect([refused.status, refused.data], name).toEqual([400, [{ error_field: 'invite_user', error_msg: why }]])
    }
    expect(await invited(post)).toEqual([])
  })

  it('keeps whoever was suspended after they were invited', async () => {
    const post = await posted(ana)
    const tom = await site.member('tom')
    await invite(ana, post, ['tom'])
    await admin.put('/answer/admin/api/user/status', { user_id: String(tom.id), status: 'suspended' })
    expect((await invite(ana, post, ['tom', 'ben'])).status).toBe(200)
    expect(await invited(post)).toEqual(['tom', 'ben'])
  })

  it('is refused where there is nothing to answer', async () => {
    for (const id of ['nonsense', '10010000000009999', '10020000000000001']) {
      expect((await invite(ana, id, ['ben'])).reason, id).toBe('error.experience.not_found')
      expect((await ben.get(path, { id })).status, id).toBe(404)
    }
    const post = await posted(ana)
    await mona.put('/answer/api/v1/experience/status', { id: post, close_type: 63, close_msg: '' })
    expect((await invite(ana, post, ['ben'])).reason).toBe('error.invitations.closed')
    expect((await detailOf(ana, post)).extends_actions).toEqual([])
    await mona.del('/answer/api/v1/experience', { id: post })
    expect((await ben.get(path, { id: post })).status).toBe(404)
    expect((await invite(ben, post, ['cai'])).status).toBe(400)
  })

  it('takes 20 people a post', async () => {
    const people = await Promise.all(Array.from({ length: 21 }, (_, n) => site.member(`guest${n}`)))
    const names = people.map(({ name }) => name)
    const post = await posted(ana)
    expect((await invite(ana, post, names)).data).toMatchObject([{ error_field: 'invite_user' }])
    expect((await invite(ana, post, names.slice(0, 20))).status).toBe(200)
    await threshold(1)
    const added = await invite(ben, post, names.slice(20))
    expect(added.data).toEqual([{ error_field: 'invite_user', error_msg: 'At most 20 people can be invited to one post.' }])
    expect((await invited(post)).length).toBe(20)
  })

  it('forgets somebody who is deleted with their content', async () => {
    const post = await posted(ana)
    const del = await site.member('del')
    await invite(ana, post, ['del', 'ben'])
    await admin.put('/answer/admin/api/user/status', { user_id: String(del.id), status: 'deleted', remove_all_content: true })
    expect(await invited(post)).toEqual(['ben'])
  })

  it('is remembered while the plugin is off, and the post is complete without', async () => {
    const post = await posted(ana)
    await invite(ana, post, ['ben'])
    await site.switch('invitations', false)
    expect(await detailOf(ana, post)).toMatchObject({ extends_actions: [] })
    expect((await invite(ana, post, ['cai'])).reason).toBe('base.route_not_found')
    await site.switch('invitations', true)
    expect(await invited(post)).toEqual(['ben'])
  })
})

describe('somebody who invites many people', () => {
  it('is stopped after 60 a day, and those of the last post are all not invited', async () => {
    const site = await startSite({ plugins: ['answers', 'invitations'], rateLimits: true })
    try {
      const ana = await site.member('ana')
      const names = (await Promise.all(Array.from({ length: 20 }, (_, n) => site.member(`guest${n}`)))).map(({ name }) => name)
      const replies = []
      let post = ''
      for (let n = 0; n < 4; n++) {
        post = await posted(ana)
        replies.push((await ana.put(path, { id: post, invite_user: names })).status)
      }
      expect(replies).toEqual([200, 200, 200, 429])
      expect((await site.visitor().get(path, { id: post })).data).toEqual([])
      site.advance(86_401)
      expect((await ana.put(path, { id: post, invite_user: names })).status).toBe(200)
    } finally {
      await site.close()
    }
  })
})
