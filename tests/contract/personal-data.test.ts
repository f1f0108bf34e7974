import { createHash } from 'node:crypto'
import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { draft, posted } from '../../plugins/experiences/testing/index.ts'
import { decide, waitingFor } from '../../plugins/history/testing/index.ts'
import { flag } from '../../plugins/reports/testing/index.ts'
import type { EveryRow, Place } from '../support/every-row.ts'
import { openEveryRow } from '../support/every-row.ts'
import { wrongNumbers } from '../support/wrong-numbers.ts'

const API = '/answer/api/v1'
const ADMIN = '/answer/admin/api'
/** Numbers that stand for nothing else. */
const FIRST_ID = 918_273_000

/** Columns that tell of a person by what they are called. */
const NAMES_A_PERSON = /person|author|voter|editor|reviewer|answerer|receiver|sender|owner|member|user|(^|_)by(_id|_staff)?$|e?mail/
/** Of those, what nobody here fills, and what is kept of an erasure until it is over. */
const NO_PERSON = [
  'accounts__erasure.person_id',
  // Of whom a plugin demands a second step.
  'accounts__demand.person_id',
  'accounts__leaving.person_id',
  // Made by a login at another site; `outside-logins.test.ts` reads them back.
  'accounts__identity.person_id',
  'accounts__sign_in.person_id',
  // Learned from a company's directory, of those who log in by it; `centre.test.ts` looks at it.
  'user_center_wecom__member.person_id',
  // Stands there for a moment only: what an upgrade corrects, what a nightly check finds, and mails on their way.
  'answers__overcount.person_id',
  'accounts__rank_difference.person_id',
  'mail__outgoing.person_id',
  'mail__week.person_id',
  // Of mails and addresses that a server refused; the tests of the mails read them back.
  'mail__undelivered.mail_key',
  'mail__undelivered.person_id',
  'mail__refused.person_id',
  // Made with the first mail to somebody.
  'notifications__secret.person_id',
  // Only staff decide about flags, and nobody here is.
  'reports__report.handled_by',
  // Only admins save settings, and nobody here is; the tests of the admin's pages read it back.
  'admin__saved.saved_by',
  // Nothing waits before it is published unless the owner wants it.
  'review__item.author_id',
  'review__item.decided_by',
  'experiences__act.by_staff',
  'answers__answer.acted_by_staff',
]

const nameOf = ({ table, column }: Place) => `${table}.${column}`
const slugsOf = (places: readonly Place[]) => [...new Set(places.map(({ table }) => table.split('__')[0] as string))].sort()

describe('somebody who used everything', () => {
  let site: Site
  let rows: EveryRow
  let admin: TestPerson
  let ana: TestPerson

  let databaseUrl: string | undefined
  beforeAll(async () => {
    site = await startSite({
      restore: async (into) => {
        databaseUrl = into.databaseUrl
      },
    })
    rows = await openEveryRow(site.dataDir, databaseUrl)
    admin = await site.admin()
    ana = await site.member('ana')
    await posted(admin, { tags: ['amber'] })
    await letOnlyEditsWait()
    await rows.countPeopleFrom(FIRST_ID)
  }, 120_000)
  afterAll(async () => {
    await rows?.close()
    await site?.close()
  })

  let running = 0

  /** Everybody may do everything but change what others wrote: that waits for somebody who lets it pass. */
  async function letOnlyEditsWait(): Promise<void> {
    type Options = { options: { privileges: { key: string; value: number }[] }[] }
    const { data } = await admin.get<Options>(`${ADMIN}/setting/privileges`)
    const custom_privileges = (data.options[0]?.privileges ?? []).map(({ key }) => ({
      key,
      value: key.endsWith('edit_without_review') ? 5000 : 1,
    }))
    await admin.put(`${ADMIN}/setting/privileges`, { level: 99, custom_privileges })
  }

  const done = async <T>(call: Promise<{ status: number; text: string; data: T }>): Promise<T> => {
    const { status, text, data } = await call
    expect(status, text).toBe(200)
    return data
  }
  const picture = async (name: string) =>
    new File(
      [
        new Uint8Array(
          await sharp({ create: { width: 4, height: 3, channels: 3, background: '#39f' } })
            .png()
            .toBuffer(),
        ),
      ],
      name,
    )

  /** Does everything that leaves something of a person in a table, and has others do what names them. */
  async function usesEverything(person: TestPerson): Promise<{ post: string; answer: string }> {
    const { name } = person
    const others = await posted(ana, { tags: ['amber'], content: `What Ana knows of it, part ${++running}.` })
    const picked = await done(person.upload<string>(`${API}/file`, await picture(`${name}-garden.png`), { source: 'post' }))
    const avatar = await done(person.upload<string>(`${API}/file`, await picture(`${name}-face.png`), { source: 'avatar' }))
    await done(
      person.put(`${API}/user/info`, {
        display_name: name,
        username: name,
        bio: `I am ${name}`,
        website: `https://${name}.example.org`,
        location: name,
        avatar: { type: 'custom', custom: avatar },
      }),
    )
    const { id: post } = await done(
      person.post<{ id: string }>(`${API}/experience`, draft({ tags: [`garden-${running}`], content: `A garden: ![](${picked})` })),
    )
    await done(person.put(`${API}/experience`, { ...draft({ tags: ['amber'] }), id: post, edit_summary: 'Better so' }))
    const { info } = await done(
      person.post<{ info: { id: string } }>(`${API}/answer`, { experience_id: others, content: 'An answer to Ana.' }),
    )
    await done(person.put(`${API}/answer`, { id: info.id, experience_id: others, content: 'A better answer to Ana.' }))
    await done(person.del(`${API}/answer`, { id: info.id }))
    await done(person.post(`${API}/answer/recover`, { answer_id: info.id }))
    const { comment_id } = await done(
      person.post<{ comment_id: string }>(`${API}/comment`, { object_id: others, original_text: 'A remark' }),
    )
    await done(ana.post(`${API}/comment`, { object_id: others, original_text: 'To that remark', reply_comment_id: comment_id }))
    await done(person.post(`${API}/vote/up`, { object_id: others }))
    await done(person.post(`${API}/follow`, { object_id: others }))
    await done(person.put(`${API}/meta/reaction`, { object_id: others, emoji: 'heart', reaction: 'activate' }))
    await done(person.post(`${API}/collection/switch`, { object_id: others, group_id: '0', bookmark: true }))
    await done(ana.post(`${API}/vote/up`, { object_id: post }))
    await done(person.put(`${API}/experience/invite`, { id: post, invite_user: ['ana'] }))
    await done(ana.put(`${API}/experience/invite`, { id: others, invite_user: [name] }))
    const better = () => draft({ tags: ['amber'], title: `This says it better, part ${++running}` })
    await done(ana.put(`${API}/experience`, { ...better(), id: post }))
    await done(decide(person, (await waitingFor(person)).item?.unreviewed_info.id ?? '', 'approve'))
    await done(person.put(`${API}/experience`, { ...better(), id: others }))
    await done(decide(ana, (await waitingFor(ana)).item?.unreviewed_info.id ?? '', 'approve'))
    await done(flag(person, others))
    await done(flag(ana, post))
    await done(person.get(`${API}/experience/info`, { id: others }))
    await done(person.get(`${API}/search`, { q: 'garden' }))
    await done(person.post(`${API}/user/email/change/code`, { e_mail: `${name}-two@example.org`, pass: 'correct horse 7' }))
    // A login, a proof that is wrong, one that is begun and one that is right.
    await done(site.visitor().post(`${API}/user/login/email`, { e_mail: `${name}@example.org`, pass: 'correct horse 7' }))
    const proof = (password: string) => person.post(`${API}/user/session/confirm`, { method: 'accounts.password', given: { password } })
    await done(proof('correct horse 7'))
    expect((await proof('wrong horse 7')).status).toBe(400)
    await done(person.post(`${API}/user/session/confirm/begin`, { method: 'accounts.mail' }))
    await done(person.post(`${API}/user/archive`))
    const byMail = { key: 'email', enable: true }
    await done(
      person.put(`${API}/user/notification/config`, {
        inbox: byMail,
        all_new_experience: byMail,
        all_new_experience_for_following_tags: byMail,
      }),
    )
    const closing = (
      await done(person.get<{ reason_type: number }[]>(`${API}/reasons`, { object_type: 'experience', action: 'close' }))
    ).at(-1)
    await done(person.put(`${API}/experience/status`, { id: post, close_type: closing?.reason_type, close_msg: 'It is settled.' }))
    await done(person.put(`${API}/experience/reopen`, { experience_id: post }))
    await done(person.put(`${API}/user/mute`, { username: 'ana', mute: true }))
    // Who opened what is collected for some seconds.
    await expect.poll(async () => (await traces(person)).map(nameOf)).toContain('experiences__opened.person_id')
    await site.idle()
    return { post, answer: info.id }
  }

  /** Segments of the full-text index: what is deleted there is found by no query, and goes when SQLite merges them. */
  const isSegment = ({ table }: Place) => table === 'search__text_data'
  const hash = (email: string) => createHash('sha256').update(email).digest('hex')
  const traces = async ({ id, name }: TestPerson) =>
    (await rows.holding([String(id), name, hash(`${name}@example.org`)])).filter((place) => !isSegment(place))
  const remove = (person: TestPerson, remove_all_content: boolean) =>
    admin.put(`${ADMIN}/user/status`, { user_id: String(person.id), status: 'deleted', remove_all_content })
  /** Until every plugin has forgotten twice, and no record of the erasure itself is left. */
  const isForgotten = async (person: TestPerson) => {
    await site.idle()
    site.advance(3700)
    await expect.poll(() => traces(person).then((found) => found.map(nameOf))).toEqual([])
    await site.idle()
  }

  it('left traces in every column that names a person', async () => {
    const xanthippe = await site.member('xanthippe')
    expect(xanthippe.id).toBeGreaterThan(FIRST_ID)
    await usesEverything(xanthippe)
    const found = new Set((await traces(xanthippe)).map(nameOf))
    const named = (await rows.columns()).filter((place) => NAMES_A_PERSON.test(place.column)).map(nameOf)
    expect(named.filter((name) => !found.has(name) && !NO_PERSON.includes(name))).toEqual([])
  })

  it.each([
    ['keeps what they wrote', false, 'zephyrine'],
    ['takes it along', true, 'quetzalia'],
  ])('is forgotten by every plugin when the deletion %s', async (_, remove_all_content, name) => {
    const person = await site.member(name)
    const { post, answer } = await usesEverything(person)
    expect(slugsOf(await traces(person)).length).toBeGreaterThan(9)
    expect((await remove(person, remove_all_content)).status).toBe(200)
    await isForgotten(person)
    const shown = await site.visitor().get(`${API}/experience/info`, { id: post })
    const seen = await site.visitor().get(`${API}/answer/info`, { id: answer })
    if (remove_all_content) expect([shown.status, seen.status]).toEqual([404, 404])
    else {
      expect(shown.data).toMatchObject({ vote_count: 1, user_info: { status: 'deleted', display_name: expect.stringMatching(/^user\d+/) } })
      expect(seen.data.info).toMatchObject({ user_info: { id: shown.data.user_info.id, status: 'deleted' } })
    }
    expect(site.errors).toEqual([])
  })

  it('is forgotten by a plugin that is off, when it returns', async () => {
    const person = await site.member('wilhelmine')
    await usesEverything(person)
    await site.switch('comments', false)
    await site.switch('votes', false)
    expect((await remove(person, true)).status).toBe(200)
    await site.idle()
    expect(slugsOf(await traces(person))).toEqual(['accounts', 'comments', 'votes'])
    await site.switch('comments', true)
    await site.switch('votes', true)
    site.advance(61)
    await expect.poll(() => traces(person).then((found) => found.map(nameOf))).toEqual(['accounts__erasure.person_id'])
    await isForgotten(person)
    expect(site.errors).toEqual([])
  })

  it('takes along what numbers counted of it', async () => {
    await site.idle()
    expect(await wrongNumbers(site.dataDir, databaseUrl)).toEqual([])
  })
})
