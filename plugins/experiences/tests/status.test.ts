import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listed, posted } from '../testing/index.ts'

const path = '/answer/api/v1/experience'

interface Detail {
  status: number
  show: number
  operation?: {
    type: string
    msg: string
    time: number
    level: string
    user_info?: { username: string }
    original?: { id: string; title: string; url_title: string }
  }
  unlisted?: { time: number; user_info?: { username: string } }
  member_actions: { action: string }[]
}

/** A plugin that keeps what `acted` tells, and gives it away. */
const LISTENER = `const { route, Type } = require('@stoa/sdk/server')
const heard = []
module.exports.default = {
  activate(services, ctx) {
    for (const id of ['experiences.acted', 'answers.acted'])
      ctx.on({ kind: 'event', id, whileOff: 'replay' }, (event) => void heard.push({ id, ...event }))
    ctx.routes([route({ method: 'GET', path: '/heard', access: 'open', summary: 'Heard', reply: Type.Unknown(), handle: () => heard.splice(0) })])
  },
}
`

describe('the state of a post', () => {
  let site: Site
  let folder: string
  let mona: TestPerson
  let ana: TestPerson
  let ben: TestPerson

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'stoa-listener-'))
    mkdirSync(join(folder, 'listener'))
    const manifest = { slug: 'listener', version: '1.0.0', type: 'route', sdk: '^1.0.0', build: { server: 'server.cjs' } }
    writeFileSync(join(folder, 'listener', 'plugin.json'), JSON.stringify(manifest))
    writeFileSync(join(folder, 'listener', 'server.cjs'), LISTENER)
    site = await startSite({ plugins: ['experiences', 'answers', 'tags', 'listener'], pluginDirs: [folder] })
    mona = await site.moderator('mona')
    ana = await site.member('ana')
    ben = await site.member('ben')
    await posted(mona)
  })
  afterAll(async () => {
    await site.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const close = (person: TestPerson, id: string, close_type = 63, close_msg = '') =>
    person.put(`${path}/status`, { id, close_type, close_msg })
  const reopen = (person: TestPerson, id: string) => person.put(`${path}/reopen`, { experience_id: id })
  const remove = (person: TestPerson, id: string) => person.del(path, { id })
  const recover = (person: TestPerson, id: string) => person.post(`${path}/recover`, { experience_id: id })
  const operate = (person: TestPerson, id: string, operation: string) => person.put(`${path}/operation`, { id, operation })
  const detail = async (person: TestPerson, id: string) => (await person.get<Detail>(`${path}/info`, { id })).data
  const offered = async (person: TestPerson, id: string) => (await detail(person, id)).member_actions.map(({ action }) => action)
  const refused = [403, 'error.rank.fail_to_meet_the_condition']
  const outcome = ({ status, reason }: { status: number; reason: string }) => [status, reason]

  it('is changed by its author, who closes, reopens, deletes and recovers it', async () => {
    const id = await posted(ana)
    expect(await offered(ana, id)).toEqual(expect.arrayContaining(['close', 'delete']))
    expect((await close(ana, id)).status).toBe(200)
    expect(await offered(ana, id)).toEqual(expect.arrayContaining(['reopen', 'delete']))
    expect((await reopen(ana, id)).status).toBe(200)
    expect((await remove(ana, id)).status).toBe(200)
    expect(await offered(ana, id)).toContain('undelete')
    expect((await recover(ana, id)).status).toBe(200)
    expect((await detail(site.visitor(), id)).status).toBe(1)
  })

  it('is not changed by other members', async () => {
    const id = await posted(ana)
    for (const change of [close, reopen, remove]) expect(outcome(await change(ben, id))).toEqual(refused)
    for (const operation of ['pin', 'unpin', 'hide', 'show'])
      for (const person of [ana, ben]) expect(outcome(await operate(person, id, operation))).toEqual(refused)
    await remove(ana, id)
    expect(outcome(await recover(ben, id))).toEqual(refused)
  })

  it('stays closed against its author when staff closed it, and open when staff reopened it', async () => {
    const id = await posted(ana)
    await close(mona, id)
    expect(await offered(ana, id)).not.toContain('reopen')
    expect(outcome(await reopen(ana, id))).toEqual(refused)
    await reopen(mona, id)
    expect(await offered(ana, id)).not.toContain('close')
    expect(outcome(await close(ana, id))).toEqual(refused)
  })

  it('stays deleted against its author when staff deleted it', async () => {
    const id = await posted(ana)
    await remove(mona, id)
    expect(await offered(ana, id)).not.toContain('undelete')
    expect(outcome(await recover(ana, id))).toEqual(refused)
    await recover(mona, id)
    expect(outcome(await remove(ana, id))).toEqual(refused)
  })

  it('comes back closed when it was closed before it was deleted', async () => {
    const id = await posted(ana)
    await close(mona, id, 59, 'Told twice already')
    await remove(ana, id)
    await recover(ana, id)
    const { status, operation } = await detail(site.visitor(), id)
    expect([status, operation?.msg]).toEqual([2, 'Told twice already'])
    expect((await listed(site.visitor(), { order: 'unanswered' })).ids).not.toContain(id)
  })

  it('is told with who, when and why', async () => {
    const id = await posted(ana)
    await close(mona, id, 59, ' Told twice already ')
    const closed = (await detail(site.visitor(), id)).operation
    expect(closed).toMatchObject({ msg: 'Told twice already', level: 'info', user_info: { username: 'mona' } })
    expect(closed?.time).toBeGreaterThan(0)
    await reopen(mona, id)
    expect((await detail(site.visitor(), id)).operation).toBeUndefined()
    await operate(mona, id, 'hide')
    const { unlisted } = await detail(site.visitor(), id)
    expect(unlisted).toMatchObject({ user_info: { username: 'mona' } })
    await remove(mona, id)
    expect((await detail(ana, id)).operation).toMatchObject({ type: '', level: 'danger', user_info: { username: 'mona' } })
  })

  it.each([
    ['an address', () => site.url],
    ['a path', () => ''],
  ])('points a duplicate to what it repeats, named by %s', async (_, base) => {
    const original = await posted(ben, { title: 'Night train to the coast' })
    const id = await posted(ana)
    const address = `${base()}/experiences/${original}/whatever?order=vote`
    expect((await close(mona, id, 60, address)).status).toBe(200)
    expect((await detail(site.visitor(), id)).operation).toMatchObject({
      msg: address,
      original: { id: original, title: 'Night train to the coast', url_title: 'night-train-to-the-coast' },
    })
    await remove(ben, original)
    expect((await detail(site.visitor(), id)).operation?.original).toBeUndefined()
  })

  it('is no duplicate of itself, of another site or of a post that is not there', async () => {
    const id = await posted(ana)
    for (const address of [
      `${site.url}/experiences/${id}`,
      `https://elsewhere.example/experiences/${id}`,
      `${site.url}/experiences/10010000000009999`,
      `${site.url}/users/ana`,
      `//elsewhere.example/experiences/${id}`,
      '',
    ])
      expect((await close(mona, id, 60, address)).reason, address).toBe('error.common.invalid_url')
    expect((await detail(site.visitor(), id)).status).toBe(1)
  })

  it('is taken over by staff when its author closed it', async () => {
    const id = await posted(ana)
    await close(ana, id)
    expect((await close(mona, id, 59, 'It is closed for good')).status).toBe(200)
    expect((await detail(ana, id)).operation?.msg).toBe('It is closed for good')
    expect((await reopen(ana, id)).status).toBe(403)
    expect((await close(mona, id)).reason).toBe('error.experience.cannot_close')
  })

  it('changes once when it is asked to change twice', async () => {
    const id = await posted(ana)
    const both = await Promise.all([close(mona, id), close(mona, id)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
    for (const again of [() => reopen(mona, id), () => operate(mona, id, 'pin'), () => operate(mona, id, 'unpin')])
      expect([(await again()).status, (await again()).status]).toEqual([200, 200])
    expect((await remove(mona, id)).status).toBe(200)
    expect((await remove(mona, id)).reason).toBe('error.experience.already_deleted')
    expect([(await recover(mona, id)).status, (await recover(mona, id)).status]).toEqual([200, 200])
  })

  interface Act {
    id: string
    n: number
    act: string
    personId: number
    byStaff: boolean
    at: number
    reason?: { type: number; message: string }
  }
  const heard = async () => {
    await site.idle()
    return (await site.visitor().get<Act[]>('/heard')).data
  }

  it('tells other plugins of each change once: who, as what, when and why', async () => {
    const id = await posted(ana)
    await heard()
    await close(mona, id, 59, 'Told twice already')
    await close(mona, id, 59, 'Told twice already')
    await reopen(mona, id)
    for (const operation of ['pin', 'unpin', 'hide', 'show']) await operate(mona, id, operation)
    const byStaff = await heard()
    expect(byStaff.map(({ act }) => act)).toEqual(['closed', 'reopened', 'pin', 'unpin', 'hide', 'show'])
    expect(byStaff[0]).toMatchObject({ id: 'experiences.acted', byStaff: true, reason: { type: 59, message: 'Told twice already' } })
    expect(new Set(byStaff.map(({ n, personId }) => `${n} ${personId}`)).size).toBe(1)
    expect(byStaff.every(({ at }) => Math.abs(at - Date.now() / 1000) < 600)).toBe(true)
    const other = await posted(ana)
    expect((await remove(ben, other)).status).toBe(403)
    await remove(ana, other)
    await recover(ana, other)
    const byAuthor = await heard()
    expect(byAuthor.map(({ act, byStaff: asStaff, reason }) => [act, asStaff, reason])).toEqual([
      ['deleted', false, undefined],
      ['undeleted', false, undefined],
    ])
    expect(byAuthor[0]?.personId).not.toBe(byStaff[0]?.personId)
  })

  it('tells them of answers that go and come back as well', async () => {
    const id = await posted(ana)
    const reply = await ben.post<{ info: { id: string } }>('/answer/api/v1/answer', { experience_id: id, content: 'I took it as well.' })
    const answer = reply.data.info.id
    await heard()
    await ben.del('/answer/api/v1/answer', { id: answer })
    await ben.post('/answer/api/v1/answer/recover', { answer_id: answer })
    await mona.del('/answer/api/v1/answer', { id: answer })
    const acts = (await heard()).filter((event) => event.id === 'answers.acted')
    expect(acts.map(({ act, byStaff }) => [act, byStaff])).toEqual([
      ['deleted', false],
      ['undeleted', false],
      ['deleted', true],
    ])
    expect(new Set(acts.map(({ n }) => n)).size).toBe(1)
  })
})
