import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answered } from '../../answers/testing/index.ts'
import { commented } from '../../comments/testing/index.ts'
import { posted } from '../../experiences/testing/index.ts'
import { followTags } from '../../follows/testing/index.ts'
import { noticesOf } from '../testing/index.ts'

const api = '/answer/api/v1'
const path = `${api}/user/notification/config`

interface Config {
  inbox: { key: string; enable: boolean }
  all_new_experience: { enable: boolean }
  all_new_experience_for_following_tags: { enable: boolean }
  channels: { key: string }[]
  kinds: { name: string; label: string; channels: { key: string; frequency: string }[] }[]
}

describe('what reaches somebody outside of the site', () => {
  let site: Site
  let ana: TestPerson
  let ben: TestPerson

  beforeAll(async () => {
    site = await startSite()
    ana = await site.member('ana')
    ben = await site.member('ben')
    // Staff make tags by using them.
    await posted(await site.admin())
  })
  afterAll(async () => {
    expect(site.errors).toEqual([])
    await site.close()
  })

  const config = async (person: TestPerson) => (await person.get<Config>(path)).data
  const frequency = async (person: TestPerson, kind: string) =>
    (await config(person)).kinds.find(({ name }) => name === kind)?.channels.find(({ key }) => key === 'email')?.frequency
  const choose = (person: TestPerson, name: string, value: string, channel = 'email') =>
    person.put(path, { kinds: [{ name, channel, frequency: value }] })
  /** Addresses of what was mailed to somebody about notifications since the last time, once everything that is due went out. */
  const mailed = new Map<string, number>()
  const mailsTo = async (person: TestPerson) => {
    await site.idle()
    site.advance(61)
    await site.idle()
    const all = (await site.mail()).filter(({ to, text }) => to.includes(`${person.name}@`) && text.includes('/users/unsubscribe'))
    const fresh = all.slice(mailed.get(person.name) ?? 0)
    mailed.set(person.name, all.length)
    return fresh
  }

  it('is the inbox by mail, unless somebody chooses otherwise; by the switches of the protocol', async () => {
    expect(await config(ben)).toMatchObject({
      inbox: { key: 'email', enable: true },
      all_new_experience: { key: 'email', enable: false },
      all_new_experience_for_following_tags: { key: 'email', enable: false },
    })
    expect(await frequency(ben, 'answer.created')).toBe('immediately')
    expect(await frequency(ben, 'votes.up')).toBe('off')
    expect((await ben.put(path, { inbox: { key: 'email', enable: false } })).status).toBe(200)
    expect(await config(ben)).toMatchObject({ inbox: { enable: false } })
    expect(await frequency(ben, 'answer.created')).toBe('off')
    await ben.put(path, { inbox: { key: 'email', enable: true } })
    expect(await frequency(ben, 'answer.created')).toBe('immediately')
    expect(await frequency(ben, 'votes.up')).toBe('off')
  })

  it('can be chosen for each kind, and refuses what is not there, wholly', async () => {
    expect((await choose(ana, 'answer.created', 'weekly')).status).toBe(200)
    expect(await frequency(ana, 'answer.created')).toBe('weekly')
    for (const [name, value, channel] of [
      ['answer.nothing', 'off', 'email'],
      ['answer.created', 'off', 'pigeon'],
      ['answer.created', 'hourly', 'email'],
      ['votes.down', 'off', 'email'],
    ]) {
      const reply = await choose(ana, name as string, value as string, channel)
      expect(reply.status, name).toBe(400)
      expect(reply.data[0].error_field).toMatch(/^kinds/)
    }
    const mixed = [
      { name: 'answer.created', channel: 'email', frequency: 'off' },
      { name: 'answer.nothing', channel: 'email', frequency: 'off' },
    ]
    expect((await ana.put(path, { kinds: mixed })).status).toBe(400)
    expect(await frequency(ana, 'answer.created')).toBe('weekly')
    await choose(ana, 'answer.created', 'immediately')
  })

  it('is saved by who sends the whole reply back with a switch turned', async () => {
    const read = await config(ben)
    expect(await ben.put(path, { ...read, inbox: { key: 'email', enable: false } })).toMatchObject({ status: 200 })
    expect(await frequency(ben, 'answer.created')).toBe('off')
    expect(await ben.put(path, read)).toMatchObject({ status: 200 })
    expect(await config(ben)).toEqual(read)
  })

  it('comes at once, unless it was read meanwhile, and ends by its link', async () => {
    const post = await posted(ana)
    await answered(ben, post)
    const [mail] = await mailsTo(ana)
    expect(mail?.text).toContain(`/experiences/${post}`)
    await answered(await site.member('cai'), post)
    await noticesOf(site, ana)
    await ana.put(`${api}/notification/read/state/all`, { type: 'inbox' })
    expect(await mailsTo(ana)).toEqual([])
    const code = decodeURIComponent(/unsubscribe\?code=([^\s")]+)/.exec(mail?.text ?? '')?.[1] ?? '')
    const end = (value: string) => site.visitor().put(`${api}/user/notification/unsubscribe`, { code: value })
    expect((await end(`${code.slice(0, -2)}xx`)).status).toBe(403)
    expect((await end(code.replace('answer.created', 'comment.created'))).status).toBe(403)
    expect(await frequency(ana, 'answer.created')).toBe('immediately')
    for (let twice = 0; twice < 2; twice++) expect((await end(code)).status).toBe(200)
    expect(await frequency(ana, 'answer.created')).toBe('off')
    expect(await frequency(ana, 'comment.created')).toBe('immediately')
    await answered(await site.member('dora'), post)
    expect(await mailsTo(ana)).toEqual([])
    await commented(ben, post)
    expect((await mailsTo(ana)).length).toBe(1)
  })

  it('are new posts for whoever asks for all of them, or follows a tag of theirs; once, and no inbox of others', async () => {
    await mailsTo(ben)
    await posted(await site.admin(), { tags: ['amber'] })
    await followTags(ben, 'amber')
    expect(await mailsTo(ben)).toEqual([])
    await ben.put(path, {
      all_new_experience: { key: 'email', enable: true },
      all_new_experience_for_following_tags: { key: 'email', enable: true },
    })
    expect(await config(ben)).toMatchObject({
      all_new_experience: { enable: true },
      all_new_experience_for_following_tags: { enable: true },
    })
    const before = (await noticesOf(site, ben)).length
    const post = await posted(ana, { tags: ['amber'] })
    const mails = await mailsTo(ben)
    expect(mails.map(({ text }) => text.includes(`/experiences/${post}`))).toEqual([true])
    expect((await noticesOf(site, ben)).length).toBe(before)
    await posted(ben)
    expect(await mailsTo(ben)).toEqual([])
  })

  it('goes on without the mail: nothing waits for it but what it was sent for', async () => {
    await site.switch('mail', false)
    const post = await posted(ana)
    await commented(ben, post)
    await mailsTo(ana)
    expect((await config(ana)).channels).toEqual([])
    expect((await config(ana)).kinds.find(({ name }) => name === 'comment.created')).toBeDefined()
    await site.switch('mail', true)
    expect((await config(ana)).channels).toEqual([expect.objectContaining({ key: 'email' })])
    expect(await mailsTo(ana)).toEqual([])
  })
})
