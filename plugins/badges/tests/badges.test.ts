import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Reply, Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accept, answered, answeredExperience } from '../../answers/testing/index.ts'
import { posted } from '../../experiences/testing/index.ts'

const path = '/answer/api/v1'

/** A plugin of somebody else with a badge of its own: for everybody who asks, and for what people did before it came. */
function writeExplorer(folder: string): void {
  const files = {
    'plugin.json': JSON.stringify({
      slug: 'acme',
      version: '1.0.0',
      type: 'route',
      sdk: '^1.1.0',
      wants: { 'badges.awards': '^1.0.0' },
      provides: { 'badges.pasts': '1.0.0' },
      contributes: { 'badges.badges': [{ name: 'acme.explorer', group: 'community', level: 3, single: true, icon: 'globe' }] },
    }),
    'server.cjs': `const { route, service, services, Type } = require('@stoa/sdk/server')
      module.exports.default = {
        wants: { awards: service('badges.awards') },
        provides: { past: services('badges.pasts') },
        activate: ({ awards }, ctx) => {
          const handle = async ({ person }) => (await awards.current?.give('acme.explorer', { personId: person.id })) ?? null
          ctx.routes([route({ method: 'POST', path: '/answer/api/v1/acme', access: 'active', summary: 'Explores.', reply: Type.Unknown(), handle })])
          return { past: { badges: ['acme.explorer'], deserved: async (badge, after) => ({ deserved: [{ personId: after + 1 }], next: after < 1 ? 1 : null }) } }
        },
      }`,
    'locales/en_US.json': JSON.stringify({
      server: { 'acme.explorer.name': 'Explorer', 'acme.explorer.description': 'Look behind everything.' },
    }),
  }
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, 'acme', name, '..'), { recursive: true })
    writeFileSync(join(folder, 'acme', name), content)
  }
}

interface Badge {
  id: string
  name: string
  icon: string
  level: number
  award_count: number
  earned_count: number
}

describe('badges', () => {
  let site: Site
  let ana: TestPerson
  let ben: TestPerson
  let running = 0
  const folder = mkdtempSync(join(tmpdir(), 'stoa-badges-'))

  beforeAll(async () => {
    writeExplorer(folder)
    site = await startSite({ pluginDirs: [folder] })
    await site.switch('acme', false)
    ana = await site.member('ana')
    ben = await site.member('ben')
    await (await site.admin()).put('/answer/admin/api/setting/privileges', { level: 1 })
  })
  afterAll(async () => {
    expect(site?.errors ?? []).toEqual([])
    await site?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Somebody who has no badge yet. */
  const newcomer = () => {
    running += 1
    return site.member(`new${running}`)
  }
  const upvote = (voter: TestPerson, object_id: string, body: object = {}) => voter.post(`${path}/vote/up`, { object_id, ...body })
  const upvotes = async (object: string, count: number) => {
    for (let n = 0; n < count; n++) await upvote(await site.member(`voter${n}`), object)
  }
  const all = async (person = site.visitor()) => {
    const { data } = await person.get<{ group_name: string; badges: Badge[] }[]>(`${path}/badges`)
    return data.flatMap(({ badges }) => badges)
  }
  const badge = async (name: string, person?: TestPerson) => {
    const found = (await all(person)).find((one) => one.name === name)
    if (!found) throw new Error(`no badge ${name}`)
    return found
  }
  /** Names of somebody's badges, with how often if more than once. */
  const badgesOf = async (person: TestPerson) => {
    await site.idle()
    const { data } = await site.visitor().get<{ list: Badge[] }>(`${path}/badge/user/awards`, { username: person.name })
    return data.list.map(({ name, earned_count }) => (earned_count > 1 ? `${name} × ${earned_count}` : name)).sort()
  }
  const awardsOf = async (name: string, query: object = {}) =>
    (
      await site.visitor().get<{ count: number; list: Record<string, unknown>[] }>(`${path}/badge/awards/page`, {
        badge_id: (await badge(name)).id,
        ...query,
      })
    ).data
  const switchBadge = async (name: string, status: string) =>
    (await site.admin()).put('/answer/admin/api/badge/status', { id: (await badgeId(name)) ?? '', status })
  const badgeId = async (name: string) => {
    const { data } = await (await site.admin()).get<{ list: Badge[] }>('/answer/admin/api/badges', { q: name, page_size: 50 })
    return data.list.find((one) => one.name === name)?.id
  }

  it('stand in three groups, in one order', async () => {
    const { data } = await site.visitor().get<{ group_name: string; badges: Badge[] }[]>(`${path}/badges`)
    expect(data.map(({ group_name, badges }) => [group_name, badges.map(({ level }) => level)])).toEqual([
      ['Getting started', [1, 1, 1, 1, 1, 1, 1]],
      ['Community', [1]],
      ['Posting', [1, 2, 3, 1, 2, 3]],
    ])
    expect(data[0]?.badges[1]).toEqual({
      id: expect.stringMatching(/^[0-9A-Za-z]{2,8}$/),
      name: 'Editor',
      icon: 'pencil-fill',
      level: 1,
      award_count: 0,
      earned_count: 0,
    })
  })

  describe('are earned', () => {
    it('by saying something about oneself, not by saving an empty profile', async () => {
      const dan = await newcomer()
      const profile = { display_name: dan.name, username: dan.name }
      await dan.put(`${path}/user/info`, { ...profile, bio: '  ' })
      expect(await badgesOf(dan)).toEqual([])
      await dan.put(`${path}/user/info`, { ...profile, bio: 'I like trains.' })
      expect(await badgesOf(dan)).toEqual(['Autobiographer'])
    })

    it('by the first edit of a post, whoever wrote it, and not by writing it', async () => {
      const dan = await newcomer()
      const id = await posted(dan)
      expect(await badgesOf(dan)).toEqual([])
      const edit = (person: TestPerson, content: string) =>
        person.put(`${path}/experience`, {
          id,
          title: 'Night train again',
          content,
          tags: [{ slug_name: 'travel', display_name: 'travel' }],
        })
      await edit(dan, 'We took another train and woke up by the sea.')
      await edit(dan, 'We took a third train and woke up by the sea.')
      expect(await badgesOf(dan)).toEqual(['Editor'])
      expect((await awardsOf('Editor', { username: dan.name })).list).toMatchObject([
        { object_id: id, experience_id: id, answer_id: '', object_type: 'experience', url_title: 'Night train again' },
      ])
      const mona = await site.moderator('mona-editor')
      await edit(mona, 'We took a fourth train and woke up by the sea.')
      expect(await badgesOf(mona)).toEqual(['Editor'])
    })

    it('by the first upvote, on comments too, and not by a downvote; what was voted on stays private', async () => {
      const [dan, eva] = [await newcomer(), await site.moderator('eva-voter')]
      const post = await posted(ana)
      await eva.post(`${path}/vote/down`, { object_id: post })
      expect(await badgesOf(eva)).toEqual([])
      const { data } = await ana.post<{ comment_id: string }>(`${path}/comment`, { object_id: post, original_text: 'What a night it was.' })
      await upvote(dan, data.comment_id)
      expect(await badgesOf(dan)).toEqual(['First upvote'])
      expect((await awardsOf('First upvote', { username: dan.name })).list).toMatchObject([
        { object_id: '', object_type: '', url_title: '' },
      ])
    })

    it('by the first reaction, once', async () => {
      const dan = await newcomer()
      const { experience, answer } = await answeredExperience(ana, ben)
      for (const object_id of [experience, answer])
        await dan.put(`${path}/meta/reaction`, { object_id, emoji: 'heart', reaction: 'activate' })
      expect(await badgesOf(dan)).toEqual(['First reaction'])
    })

    it('by a shared link that somebody else opens', async () => {
      const [dan, eva] = [await newcomer(), await newcomer()]
      const id = await posted(ana)
      const open = (person: TestPerson) => person.post(`${path}/share/opened`, { id, username: dan.name })
      await open(dan)
      expect(await badgesOf(dan)).toEqual([])
      await open(eva)
      await open(site.visitor())
      expect(await badgesOf(dan)).toEqual(['First share'])
    })

    it('by accepting an answer to an own post, and by writing it', async () => {
      const [dan, eva] = [await newcomer(), await newcomer()]
      const { experience, answer } = await answeredExperience(dan, eva)
      await accept(dan, experience, answer)
      await accept(dan, experience, '')
      await accept(dan, experience, answer)
      expect(await badgesOf(dan)).toEqual(['Scholar'])
      expect(await badgesOf(eva)).toEqual(['Solved'])
    })

    it('by the author alone where staff accept for somebody else', async () => {
      const [dan, eva] = [await newcomer(), await newcomer()]
      const mona = await site.moderator('mona-accepts')
      const { experience, answer } = await answeredExperience(dan, eva)
      await accept(mona, experience, answer)
      expect([await badgesOf(dan), await badgesOf(eva), await badgesOf(mona)]).toEqual([[], ['Solved'], []])
    })

    it('by 10, 25 and 50 upvotes, once for each post', async () => {
      const dan = await newcomer()
      const [first, second] = [await posted(dan), await posted(dan)]
      const answer = await answered(dan, await posted(ana))
      await upvotes(first, 9)
      expect(await badgesOf(dan)).toEqual([])
      await upvotes(first, 50)
      await upvotes(second, 10)
      await upvotes(answer, 25)
      expect(await badgesOf(dan)).toEqual(['Good answer', 'Good experience', 'Great experience', 'Nice answer', 'Nice experience × 2'])
      const { list } = await awardsOf('Good answer')
      expect(list).toMatchObject([
        { object_id: answer, answer_id: answer, object_type: 'answer', author_user_info: { username: dan.name } },
      ])
    }, 120_000)
  })

  it('are kept when the cause goes: the vote is taken back, the post is deleted and restored', async () => {
    const dan = await newcomer()
    const post = await posted(dan)
    await upvotes(post, 10)
    expect(await badgesOf(dan)).toEqual(['Nice experience'])
    const voter = await site.member('voter0')
    for (const is_cancel of [true, false, true]) await upvote(voter, post, { is_cancel })
    expect(await badgesOf(dan)).toEqual(['Nice experience'])
    await dan.del(`${path}/experience`, { id: post })
    expect(await badgesOf(dan)).toEqual(['Nice experience'])
    const named = async () => (await awardsOf('Nice experience', { username: dan.name })).list[0]?.url_title
    expect(await named()).toBe('')
    await dan.post(`${path}/experience/recover`, { experience_id: post })
    expect(await named()).not.toBe('')
    await upvote(voter, post)
    expect(await badgesOf(dan)).toEqual(['Nice experience'])
  })

  it('count how often they were given, and how often to the person who asks', async () => {
    const dan = await newcomer()
    const before = await badge('First upvote', dan)
    await upvote(dan, await posted(ana))
    await upvote(dan, await posted(ana))
    await site.idle()
    const after = await badge('First upvote', dan)
    expect([after.award_count - before.award_count, before.earned_count, after.earned_count]).toEqual([1, 0, 1])
    const { data } = await dan.get(`${path}/badge`, { id: after.id })
    expect(data).toMatchObject({ earned_count: 1, award_count: after.award_count, is_single: true, description: expect.any(String) })
    expect((await awardsOf('First upvote', { page_size: 1 })).count).toBe(after.award_count)
  })

  it('are given to one person once, however many of their deeds arrive at the same moment', async () => {
    const dan = await newcomer()
    const posts = await Promise.all([posted(ana), posted(ana), posted(ben)])
    await Promise.all(posts.map((post) => upvote(dan, post)))
    expect(await badgesOf(dan)).toEqual(['First upvote'])
    expect((await awardsOf('First upvote', { username: dan.name })).count).toBe(1)
  })

  it('are shown to their owner once, and to nobody else', async () => {
    const dan = await newcomer()
    await upvote(dan, await posted(ana))
    await site.idle()
    const unseen = async (person: TestPerson) => (await person.get<{ award_id: string; name: string }[]>(`${path}/badge/unseen`)).data
    const [award] = await unseen(dan)
    expect(award?.name).toBe('First upvote')
    await ben.put(`${path}/badge/seen`, { award_ids: [award?.award_id] })
    expect(await unseen(dan)).toHaveLength(1)
    await dan.put(`${path}/badge/seen`, { award_ids: [award?.award_id, 'nonsense'] })
    expect(await unseen(dan)).toEqual([])
    expect((await site.visitor().get(`${path}/badge/unseen`)).status).toBe(401)
  })

  it('that are switched off are hidden with their awards, and come back with what was earned meanwhile', async () => {
    const [dan, eva] = [await newcomer(), await newcomer()]
    await upvote(dan, await posted(ana))
    expect(await badgesOf(dan)).toEqual(['First upvote'])
    const { id } = await badge('First upvote')
    expect((await switchBadge('First upvote', 'inactive')).status).toBe(200)
    await upvote(eva, await posted(ana))
    expect((await all()).map(({ name }) => name)).not.toContain('First upvote')
    expect(await badgesOf(dan)).toEqual([])
    expect((await site.visitor().get(`${path}/badge`, { id })).reason).toBe('error.badge.object_not_found')
    expect((await site.visitor().get(`${path}/badge/awards/page`, { badge_id: id })).status).toBe(404)
    await switchBadge('First upvote', 'active')
    expect(await badgesOf(dan)).toEqual(['First upvote'])
    expect(await badgesOf(eva)).toEqual(['First upvote'])
    expect((await eva.get<unknown[]>(`${path}/badge/unseen`)).data).toEqual([])
  })

  it('of somebody who is deleted are gone, and the count with them', async () => {
    const dan = await newcomer()
    await upvote(dan, await posted(ana))
    expect(await badgesOf(dan)).toEqual(['First upvote'])
    const before = (await badge('First upvote')).award_count
    await (await site.admin()).put('/answer/admin/api/user/status', { user_id: String(dan.id), status: 'deleted' })
    await site.idle()
    expect((await badge('First upvote')).award_count).toBe(before - 1)
    expect((await site.visitor().get(`${path}/badge/user/awards`, { username: dan.name })).reason).toBe('error.user.not_found')
  })

  it('are found by name, state and id by admins, and by nobody else', async () => {
    const admin = await site.admin()
    const page = async (query: Record<string, string | number>) =>
      (await admin.get<{ count: number; list: Badge[] }>('/answer/admin/api/badges', query)).data
    expect((await page({ page_size: 50 })).count).toBe(14)
    expect((await page({ q: 'GREAT' })).list.map(({ name }) => name)).toEqual(['Great answer', 'Great experience'])
    expect((await page({ q: `badge:${await badgeId('Solved')}` })).list.map(({ name }) => name)).toEqual(['Solved'])
    expect((await page({ status: 'inactive' })).count).toBe(0)
    expect((await page({ page: 2, page_size: 10 })).list).toHaveLength(4)
    expect((await admin.get('/answer/admin/api/badges', { status: 'asleep' })).status).toBe(400)
    for (const person of [ana, await site.moderator('mona')]) {
      expect((await person.get('/answer/admin/api/badges')).status).toBe(403)
      expect((await person.put('/answer/admin/api/badge/status', { id: await badgeId('Solved'), status: 'inactive' })).status).toBe(403)
    }
    const refused = async (body: object): Promise<Reply<unknown>> => admin.put('/answer/admin/api/badge/status', body)
    expect((await refused({ id: await badgeId('Solved'), status: 'asleep' })).reason).toBe('error.common.status_invalid')
    expect((await refused({ id: '10090000000009999', status: 'inactive' })).reason).toBe('error.badge.object_not_found')
  })

  it('of another plugin come and go with it; what was given of them is kept, in the words it had', async () => {
    const dan = await newcomer()
    await site.switch('acme', true)
    expect(await badge('Explorer', dan)).toMatchObject({ level: 3, icon: 'globe', earned_count: 0 })
    // Principals 1 and 2: found in two batches, and not told.
    expect([await badgesOf(await site.admin()), await badgesOf(ana)]).toEqual([
      expect.arrayContaining(['Explorer']),
      expect.arrayContaining(['Explorer']),
    ])
    const explore = async () => (await dan.post<boolean>(`${path}/acme`)).data
    expect([await explore(), await explore()]).toEqual([true, false])
    const { id, award_count } = await badge('Explorer', dan)
    expect(award_count).toBe(3)
    await site.switch('badges', false)
    expect(await explore()).toBe(null)
    await site.switch('badges', true)
    await site.switch('acme', false)
    expect((await all()).map(({ name }) => name)).not.toContain('Explorer')
    expect(await badgesOf(dan)).toEqual(['Explorer'])
    expect((await site.visitor().get(`${path}/badge`, { id })).data).toMatchObject({
      name: 'Explorer',
      description: 'Look behind everything.',
    })
    await site.switch('acme', true)
    expect((await badge('Explorer', dan)).id).toBe(id)
    await site.switch('acme', false)
  })

  it('are among the achievements of their owner, and in the red dot until they were read', async () => {
    const dan = await newcomer()
    await upvote(dan, await posted(ana))
    await site.idle()
    const { data } = await dan.get(`${path}/notification/page`, { type: 'achievement', page: 1 })
    expect(data.list).toMatchObject([
      { object_info: { title: 'First upvote', object_type: 'badge_award', object_map: { badge_id: (await badge('First upvote')).id } } },
    ])
    const dot = async () => (await dan.get(`${path}/notification/status`)).data.badge_award
    expect(await dot()).toMatchObject({ name: 'First upvote', icon: 'hand-thumbs-up-fill', level: 1 })
    await dan.put(`${path}/notification/read/state`, { id: data.list[0].id })
    expect(await dot()).toBeNull()
  })

  it('are given for what happened while the plugin was off, once it is back', async () => {
    const [dan, eva] = [await newcomer(), await newcomer()]
    const post = await posted(dan)
    const shared = await posted(ana)
    await site.switch('badges', false)
    expect((await site.visitor().get(`${path}/badges`)).status).toBe(404)
    await upvotes(post, 10)
    await eva.put(`${path}/user/info`, { display_name: eva.name, username: eva.name, bio: 'I like boats.' })
    await eva.put(`${path}/meta/reaction`, { object_id: post, emoji: 'heart', reaction: 'activate' })
    await upvote(eva, shared)
    const { experience, answer } = await answeredExperience(eva, dan)
    await accept(eva, experience, answer)
    await eva.put(`${path}/experience`, {
      id: experience,
      title: 'Night boat again',
      content: 'We took another boat and woke up by the sea.',
      tags: [{ slug_name: 'travel', display_name: 'travel' }],
    })
    await dan.post(`${path}/share/opened`, { id: shared, username: eva.name })
    await site.switch('badges', true)
    expect(await badgesOf(dan)).toEqual(['Nice experience', 'Solved'])
    expect(await badgesOf(eva)).toEqual(['Autobiographer', 'Editor', 'First reaction', 'First share', 'First upvote', 'Scholar'])
  })

  it('are the same ones after a restart, and nobody gets one twice', async () => {
    const dan = await newcomer()
    await upvote(dan, await posted(ana))
    const before = [await badgesOf(dan), await badgesOf(ana), (await all()).map(({ id }) => id)]
    await site.restart()
    await site.idle()
    expect([await badgesOf(dan), await badgesOf(ana), (await all()).map(({ id }) => id)]).toEqual(before)
    const counted = await Promise.all((await all()).map(async ({ name, award_count }) => [(await awardsOf(name)).count, award_count]))
    for (const [rows, count] of counted) expect(rows).toBe(count)
  })
})
