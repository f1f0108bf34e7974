import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answeredExperience } from '../../answers/testing/index.ts'
import { posted } from '../../experiences/testing/index.ts'
import { offsetOf } from '../server/activity.ts'

const api = '/answer/admin/api/dashboard'
const DAY = 86_400

interface Activity {
  days: string[]
  series: { name: string; label: string; counts: number[] }[]
}
interface Overview {
  matters: { text: string; tone: string; path?: string }[]
  figures: { name: string; label: string; count: number }[]
  system: Record<string, unknown>
}

describe('the dashboard', () => {
  let site: Site
  let admin: TestPerson
  let mona: TestPerson
  let ana: TestPerson
  let ben: TestPerson

  beforeAll(async () => {
    site = await startSite()
    admin = await site.admin()
    mona = await site.moderator('mona')
    ana = await site.member('ana')
    ben = await site.member('ben')
    await posted(mona)
  })
  afterAll(() => site.close())

  const overview = async () => (await admin.get<Overview>(`${api}/overview`)).data
  const activity = async (days: number) => (await admin.get<Activity>(`${api}/activity`, { days })).data
  const figures = async () => Object.fromEntries((await overview()).figures.map(({ name, count }) => [name, count]))
  /** Counted anew after a minute. */
  const later = () => site.advance(61)

  it('is for admins', async () => {
    for (const path of [api, `${api}/overview`, `${api}/activity`]) {
      const people = [site.visitor(), await site.member('ida', 'inactive'), await site.member('sue', 'suspended'), ana, mona, admin]
      expect(await Promise.all(people.map(async (person) => (await person.get(path)).status)), path).toEqual([401, 403, 403, 403, 403, 200])
    }
  })

  it('takes no other periods than it has', async () => {
    for (const days of ['0', '31', '-1', 'x', '1e9']) expect((await admin.get(`${api}/activity`, { days })).status, days).toBe(400)
    expect((await activity(365)).days).toHaveLength(365)
  })

  it('counts what stands, of each plugin that is on', async () => {
    later()
    const before = await figures()
    const { experience } = await answeredExperience(ana, ben)
    await posted(ana)
    await ben.post('/answer/api/v1/comment', { object_id: experience, original_text: 'A few words about that.' })
    later()
    const after = await figures()
    const grown = (name: string) => (after[name] ?? 0) - (before[name] ?? 0)
    expect(['experience_count', 'unanswered_count', 'answer_count', 'comment_count'].map(grown)).toEqual([2, 1, 1, 1])
    expect((await admin.get<{ info: Record<string, unknown> }>(api)).data.info).toMatchObject({
      experience_count: after.experience_count,
      answer_count: after.answer_count,
      user_count: after.user_count,
      smtp: 'not_configured',
    })
    await mona.del('/answer/api/v1/experience', { id: experience })
    later()
    expect((await figures()).experience_count).toBe((after.experience_count ?? 0) - 1)
  })

  it('puts each thing on its day, by the clock of the site', async () => {
    const today = (list: Activity) => Object.fromEntries(list.series.map(({ name, counts }) => [name, counts.at(-1)]))
    const before = today(await activity(30))
    expect(Object.keys(before).sort()).toEqual(['answers', 'comments', 'experiences', 'members'])
    await answeredExperience(ana, ben)
    const after = today(await activity(30))
    expect([after.experiences, after.answers].map(Number)).toEqual([Number(before.experiences) + 1, Number(before.answers) + 1])
    site.advance(DAY)
    const next = await activity(30)
    expect(next.series.map(({ counts }) => counts.at(-1))).toEqual(next.series.map(() => 0))
    expect(next.series.find(({ name }) => name === 'experiences')?.counts.at(-2)).toBe(after.experiences)
    expect([offsetOf('Asia/Shanghai', 0), offsetOf('UTC', 0), offsetOf('America/New_York', 1_700_000_000)]).toEqual([28_800, 0, -18_000])
  })

  it('says what needs attention, and where something can be done about it', async () => {
    expect((await overview()).matters).toContainEqual({
      text: expect.stringContaining('mail server'),
      tone: 'warning',
      path: '/admin/smtp',
    })
  })

  it('does without whatever is off', async () => {
    await site.switch('answers', false)
    await site.switch('mail', false)
    const { series } = await activity(30)
    expect(series.map(({ name }) => name).sort()).toEqual(['comments', 'experiences', 'members'])
    expect((await figures()).answer_count).toBeUndefined()
    expect((await overview()).matters.some(({ path }) => path === '/admin/smtp')).toBe(false)
    expect((await admin.get<{ info: { answer_count: number } }>(api)).data.info.answer_count).toBe(0)
    await site.switch('answers', true)
    await site.switch('mail', true)
  })
})
