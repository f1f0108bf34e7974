import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answered } from '../../answers/testing/index.ts'
import { posted } from '../../experiences/testing/index.ts'

const API = '/answer/api/v1'
const ADMIN = '/answer/admin/api'
const DAY = 86_400

describe('what staff do to people', () => {
  let site: Site
  let admin: TestPerson
  let mona: TestPerson

  beforeAll(async () => {
    site = await startSite()
    admin = await site.admin()
    mona = await site.moderator('mona')
    await admin.put(`${ADMIN}/setting/privileges`, { level: 1 })
  })
  afterAll(async () => {
    expect(site?.errors ?? []).toEqual([])
    await site?.close()
  })

  const suspend = (person: TestPerson, more: object = {}) =>
    admin.put(`${ADMIN}/user/status`, { user_id: String(person.id), status: 'suspended', ...more })
  const own = async (person: TestPerson) => (await person.get(`${API}/user/info`)).data
  const mailsTo = async (name: string) => (await site.mail()).filter(({ to }) => to === `${name}@example.org`)
  const logged = async (action: string) =>
    (await admin.get(`${ADMIN}/audit/page`, { action: `accounts.${action}` })).data.list as {
      actor: { username: string }
      object: { label: string; path: string }
      note: string
      changes: { field: string; from: string; to: string }[]
    }[]

  describe('a suspension', () => {
    it('says until when and why, on the page and by mail, and ends by itself', async () => {
      const eva = await site.member('eva')
      expect((await suspend(eva, { suspend_duration: '24h', reason: ' Rude to\nothers ' })).status).toBe(200)
      const { status, suspended_until, suspension_reason } = await own(eva)
      expect([status, suspension_reason]).toEqual(['suspended', 'Rude to\nothers'])
      expect(suspended_until).toBeGreaterThan(Date.now() / 1000 + DAY - 60)
      expect((await eva.post(`${API}/vote/up`, { object_id: '1' })).status).toBe(403)
      expect((await admin.get(`${ADMIN}/users/page`, { status: 'suspended' })).data.list).toMatchObject([
        { username: 'eva', suspended_until },
      ])
      const [mail] = await mailsTo('eva')
      expect(mail?.subject).toBe('[Test] Your account is suspended for a while')
      expect(mail?.text).toContain('Reason: Rude to others')
      expect(await logged('made_suspended')).toMatchObject([
        { actor: { username: 'admin' }, object: { label: 'eva', path: `/admin/users/${eva.id}` }, note: 'Rude to\nothers' },
      ])
      site.advance(DAY - 120)
      await site.idle()
      expect((await own(eva)).status).toBe('suspended')
      site.advance(240)
      await expect.poll(async () => (await own(eva)).status).toBe('normal')
      expect(await own(eva)).not.toHaveProperty('suspended_until')
      expect((await mailsTo('eva')).at(-1)?.subject).toBe('[Test] Your account works again')
      expect(await logged('suspension_over')).toMatchObject([{ actor: { username: '' }, object: { label: 'eva' } }])
    })

    it('without an end stays until somebody lifts it, and can be changed to a moment', async () => {
      const fay = await site.member('fay')
      await suspend(fay, { reason: 'Spam' })
      expect((await own(fay)).suspended_until).toBe(0)
      const moment = Math.floor(Date.now() / 1000) + 20 * DAY
      expect((await suspend(fay, { suspended_until: moment, suspend_duration: 'forever' })).status).toBe(200)
      expect(await own(fay)).toMatchObject({ suspended_until: moment, suspension_reason: 'Spam' })
      for (const wrong of [1, moment + 5000 * DAY])
        expect(await suspend(fay, { suspended_until: wrong })).toMatchObject({
          status: 400,
          reason: 'error.accounts.until_past',
          data: [{ error_field: 'suspended_until' }],
        })
      for (const wrong of [
        { suspend_duration: '5y' },
        { suspended_until: 'tomorrow' },
        { suspended_until: -1 },
        { reason: 'x'.repeat(501) },
      ])
        expect((await suspend(fay, wrong)).status).toBe(400)
      expect((await own(fay)).suspended_until).toBe(moment)
      expect((await admin.put(`${ADMIN}/user/status`, { user_id: String(fay.id), status: 'normal' })).status).toBe(200)
      expect((await own(fay)).status).toBe('normal')
      expect(await logged('made_normal')).toMatchObject([{ object: { label: 'fay' } }])
    })
  })

  describe('cleaning up after a spammer', () => {
    const cleanUp = (person: TestPerson, target: TestPerson | { id: number }, more: object = {}) =>
      person.post(`${API}/user/clean-up`, { user_id: String(target.id), ...more })

    it('deletes all they wrote and suspends them in one step, and each piece can be restored', async () => {
      const spam = await site.member('spam')
      const good = await site.member('good')
      const theirs = await posted(good)
      const answer = await answered(spam, theirs, 'Buy cheap pills here and now.')
      const own_ = await posted(spam)
      expect((await cleanUp(mona, spam, { reason: 'Pills' })).status).toBe(200)
      await site.idle()
      expect((await site.visitor().get(`${API}/experience/info`, { id: own_ })).status).toBe(404)
      expect((await site.visitor().get(`${API}/answer/page`, { experience_id: theirs })).data.list ?? []).toEqual([])
      expect(await own(spam)).toMatchObject({ status: 'suspended', suspended_until: 0, suspension_reason: 'Pills' })
      expect(await logged('cleaned_up')).toMatchObject([{ actor: { username: 'mona' }, note: 'Pills' }])
      expect((await mona.post(`${API}/answer/recover`, { answer_id: answer })).status).toBe(200)
      expect((await site.visitor().get(`${API}/experience/info`, { id: theirs })).status).toBe(200)
    })

    it('is for staff alone, and never done to staff', async () => {
      const target = await site.member('innocent')
      const people = [site.visitor(), await site.member('ina', 'inactive'), await site.member('sue', 'suspended'), await site.member('ana')]
      for (const person of people) expect([401, 403]).toContain((await cleanUp(person, target)).status)
      for (const other of [admin, mona]) expect((await cleanUp(mona, other)).reason).toBe('error.accounts.cleanup_staff')
      expect((await cleanUp(mona, { id: 987_654 })).reason).toBe('error.user.not_found')
      for (const body of [{}, { user_id: 7 }, { user_id: 'x'.repeat(21) }, { user_id: String(target.id), reason: 'x'.repeat(501) }, null])
        expect((await mona.post(`${API}/user/clean-up`, body)).status).toBe(400)
      expect((await own(target)).status).toBe('normal')
    })
  })

  it('lists one person with their sessions, which can be ended, and says it to admins alone', async () => {
    const kim = await site.member('kim')
    const about = (person: TestPerson, id: string | number = kim.id) => person.get(`${ADMIN}/user/info`, { user_id: String(id) })
    const end = (person: TestPerson, body: object) => person.del(`${ADMIN}/user/session`, body)
    const { data } = await about(admin)
    expect(data).toMatchObject({ username: 'kim', e_mail: 'kim@example.org', role_id: 1, has_password: true, former_names: [] })
    expect(data.sessions).toHaveLength(1)
    for (const person of [site.visitor(), kim, mona]) {
      expect([401, 403]).toContain((await about(person)).status)
      expect([401, 403]).toContain((await end(person, { user_id: String(kim.id) })).status)
      expect([401, 403]).toContain((await person.post(`${ADMIN}/users/check`, { users: 'a' })).status)
    }
    for (const id of ['0', 'abc', '99999999']) expect((await about(admin, id)).reason).toBe('error.user.not_found')
    for (const body of [{}, { user_id: 5 }, { user_id: String(kim.id), id: '' }]) expect((await end(admin, body)).status).toBe(400)
    expect((await end(admin, { user_id: String(kim.id), id: data.sessions[0].id })).status).toBe(200)
    expect((await kim.put(`${API}/user/interface`, { language: 'en_US', color_scheme: 'dark' })).status).toBe(401)
    expect((await about(admin)).data.sessions).toEqual([])
    expect((await end(admin, { user_id: String(kim.id) })).status).toBe(200)
    expect(await logged('sessions_ended')).toHaveLength(2)
  })

  it('says of each line what is wrong with it before anybody is added, and logs who was added', async () => {
    const check = async (users: string) => (await admin.post(`${ADMIN}/users/check`, { users })).data
    expect(
      await check('ned, ned@example.com, Ned1234567\n\nx, y\nned, ned@example.com, Ned1234567\nzoe, mona@example.org, Zoe1234567'),
    ).toEqual([
      { line: 1, name: 'ned', e_mail: 'ned@example.com', problem: '' },
      { line: 3, name: 'x', e_mail: 'y', problem: expect.stringContaining('Line 3') },
      { line: 4, name: 'ned', e_mail: 'ned@example.com', problem: expect.stringContaining('Line 4') },
      { line: 5, name: 'zoe', e_mail: 'mona@example.org', problem: expect.stringContaining('already') },
    ])
    expect((await admin.get(`${ADMIN}/users/page`, { query: 'ned' })).data.count).toBe(0)
    expect((await admin.post(`${ADMIN}/users`, { users: 'ned, ned@example.com, Ned1234567' })).status).toBe(200)
    expect((await logged('added'))[0]).toMatchObject({ object: { label: 'ned' } })
  })

  it('takes rows as spreadsheets copy and export them, and as they are typed in Chinese', async () => {
    const users = [
      'Tess\ttess@example.com\tTess,1234567',
      '"Lee, Ann ""A"" ",ann@example.com,"with, 1234"',
      '王小明，ming@example.com，Ming1234567',
      'Sven;sven@example.com;Sven1234567',
      'O"Neil, neil@example.com, Neil"1234567"',
    ].join('\r\n')
    expect(
      (await admin.post(`${ADMIN}/users/check`, { users })).data.map((row: { name: string; problem: string }) => [row.name, row.problem]),
    ).toEqual(['Tess', 'Lee, Ann "A"', '王小明', 'Sven', 'O"Neil'].map((name) => [name, '']))
    expect((await admin.post(`${ADMIN}/users`, { users })).status).toBe(200)
    for (const [e_mail, pass] of [
      ['tess@example.com', 'Tess,1234567'],
      ['ann@example.com', 'with, 1234'],
      ['neil@example.com', 'Neil"1234567"'],
    ])
      expect((await site.visitor().post(`${API}/user/login/email`, { e_mail, pass })).status, e_mail).toBe(200)
  })

  it('is logged with what it was before, and without a password', async () => {
    const tom = await site.member('tom')
    const user_id = String(tom.id)
    await admin.put(`${ADMIN}/user/role`, { user_id, role_id: 3 })
    await admin.put(`${ADMIN}/user/profile`, { user_id, display_name: 'Tommy', username: 'tom', email: 'tom@example.org' })
    await admin.put(`${ADMIN}/user/password`, { user_id, password: 'Never-to-be-seen-7' })
    expect((await logged('role_changed'))[0]?.changes).toEqual([{ field: 'Role', from: 'Member', to: 'Moderator' }])
    expect((await logged('profile_changed'))[0]?.changes).toEqual([{ field: 'Display name', from: 'tom', to: 'Tommy' }])
    expect(await logged('password_set')).toMatchObject([{ changes: [], note: '' }])
    const { text } = await admin.get(`${ADMIN}/audit/page`, { page_size: 100 })
    expect(text).not.toContain('Never-to-be-seen')
    await admin.put(`${ADMIN}/user/status`, { user_id, status: 'deleted' })
    await site.idle()
    expect((await logged('made_deleted'))[0]?.object.label).toBe('')
  })

  it('stands in the log beside what they do to badges and tags', async () => {
    const actions = async () => {
      const { list } = (await admin.get<{ list: { action: string; object: { label: string } }[] }>(`${ADMIN}/audit/page`, { page_size: 5 }))
        .data
      return list.map(({ action, object }) => `${action} ${object.label}`)
    }
    const { data } = await admin.get<{ list: { id: string; name: string }[] }>(`${ADMIN}/badges`, { q: 'Autobiographer' })
    const id = data.list[0]?.id
    for (const status of ['inactive', 'inactive', 'active']) await admin.put(`${ADMIN}/badge/status`, { id, status })
    expect((await actions()).slice(0, 2)).toEqual(['badges.switched_on Autobiographer', 'badges.switched_off Autobiographer'])
    await mona.post(`${API}/tag`, { slug_name: 'unused', display_name: 'Unused', original_text: 'Nothing has it' })
    const { tag_id } = (await mona.get<{ tag_id: string }>(`${API}/tag`, { name: 'unused' })).data
    await mona.put(`${API}/tag/synonym`, { tag_id, synonym_tag_list: [] })
    expect((await mona.del(`${API}/tag`, { tag_id })).status).toBe(200)
    expect((await mona.post(`${API}/tag/recover`, { tag_id })).status).toBe(200)
    expect((await actions()).slice(0, 3)).toEqual(['tag.undeleted Unused', 'tag.deleted Unused', 'tag.synonyms_set Unused'])
  })

  it('works while the staff log is off', async () => {
    await site.switch('audit', false)
    const una = await site.member('una')
    expect((await suspend(una, { suspend_duration: '7d' })).status).toBe(200)
    await site.switch('audit', true)
  })
})
