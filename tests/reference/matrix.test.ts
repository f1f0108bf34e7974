import type { Query, Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answered } from '../../plugins/answers/testing/index.ts'
import { draft, posted } from '../../plugins/experiences/testing/index.ts'
import { flag, flaggedFor } from '../../plugins/reports/testing/index.ts'
import { apiDocument } from '../support/surface.ts'

const roles = ['visitor', 'inactive', 'suspended', 'member', 'owner', 'moderator', 'admin'] as const
type Role = (typeof roles)[number]
type Given = { query?: Query; body?: object }

/** Makes what a call is about; each by the owner of the row, unless it says otherwise. */
interface Things {
  post(state?: PostState): Promise<string>
  /** An answer of the owner to somebody else's post. */
  answer(state?: 'deleted' | 'deletedByStaff' | 'accepted' | 'useful'): Promise<string>
  /** Somebody else's answer to a post of the owner. */
  answered(): Promise<{ post: string; answer: string }>
  comment(): Promise<string>
  tag(state?: 'deleted'): Promise<string>
  /** What the owner was told of somebody else's answer. */
  notice(): Promise<string>
  /** Somebody else's flag on a post of the owner. */
  flag(): Promise<string>
  /** The text that a post of the owner has. */
  revision(state?: PostState): Promise<string>
  name: string
}
type PostState = 'closed' | 'closedByStaff' | 'reopenedByStaff' | 'deleted' | 'deletedByStaff' | 'unlisted' | 'pinned' | 'withAnswers'

/** What the call, and the state of what it is about; what each role is answered, in the order of `roles`; what is sent. */
type Row = [about: string, call: string, outcomes: string, given: (things: Things) => Promise<Given> | Given]

const api = '/answer/api/v1'
const adminApi = '/answer/admin/api'
let running = 0
const words = () => `These are words that nobody wrote before: ${++running}.`
const paged = { page: 1, page_size: 10 }

const everybody = '200 200 200 200 200 200 200'
const loggedIn = '401 200 200 200 200 200 200'
const active = '401 403 403 200 200 200 200'
const owners = '401 403 403 403 200 200 200'
const staff = '401 403 403 403 403 200 200'
const admins = '401 403 403 403 403 403 200'
/** For those who may not see it there is nothing. */
const seenByOwners = '404 404 404 404 200 200 200'

const table: Row[] = [
  // Reading
  ['of public posts', 'GET experience/page', everybody, () => ({ query: paged })],
  ['an open post', 'GET experience/info', everybody, async ({ post }) => ({ query: { id: await post() } })],
  ['a closed post', 'GET experience/info', everybody, async ({ post }) => ({ query: { id: await post('closed') } })],
  ['an unlisted post', 'GET experience/info', everybody, async ({ post }) => ({ query: { id: await post('unlisted') } })],
  ['a deleted post', 'GET experience/info', seenByOwners, async ({ post }) => ({ query: { id: await post('deleted') } })],
  ['a title', 'GET experience/similar', active, () => ({ query: { title: 'Night train' } })],
  ['an open post', 'GET experience/similar/tag', everybody, async ({ post }) => ({ query: { experience_id: await post() } })],
  ['a deleted post', 'GET experience/similar/tag', seenByOwners, async ({ post }) => ({ query: { experience_id: await post('deleted') } })],
  ['an open post', 'GET experience/alike', everybody, async ({ post }) => ({ query: { experience_id: await post() } })],
  ['a deleted post', 'GET experience/alike', seenByOwners, async ({ post }) => ({ query: { experience_id: await post('deleted') } })],
  ['an open post', 'GET experience/link', everybody, async ({ post }) => ({ query: { experience_id: await post(), ...paged } })],
  ['a deleted post', 'GET experience/link', seenByOwners, async ({ post }) => ({ query: { experience_id: await post('deleted'), ...paged } })],
  ['for the caller', 'GET experience/recommend/page', loggedIn, () => ({ query: paged })],
  ['a member', 'GET personal/experience/page', everybody, ({ name }) => ({ query: { username: name, ...paged } })],
  ['a member', 'GET personal/qa/top', everybody, ({ name }) => ({ query: { username: name } })],
  ['a member', 'GET personal/answer/page', everybody, ({ name }) => ({ query: { username: name, ...paged } })],
  ['a member', 'GET personal/comment/page', everybody, ({ name }) => ({ query: { username: name, ...paged } })],
  ['the caller', 'GET personal/vote/page', active, () => ({ query: paged })],
  ['the caller', 'GET user/plugin/configs', active, () => ({})],
  ['the caller', 'GET user/plugin/config', active, () => ({ query: { plugin_slug_name: 'editor' } })],
  ['the caller', 'PUT user/plugin/config', active, () => ({ body: { plugin_slug_name: 'editor', config_fields: { beside: false } } })],
  ['all posts', 'GET /admin/experience/page', admins, () => ({ query: paged })],
  ['all answers', 'GET /admin/answer/page', admins, () => ({ query: paged })],
  ['what staff did', 'GET /admin/audit/page', admins, () => ({ query: paged })],
  ['what it is filtered by', 'GET /admin/audit/actions', admins, () => ({})],
  ['a person', 'GET /admin/user/info', admins, () => ({ query: { user_id: '1' } })],
  ['a session of somebody', 'DELETE /admin/user/session', admins, () => ({ body: { user_id: '1', id: 'none' } })],
  ['lines of people', 'POST /admin/users/check', admins, () => ({ body: { users: 'Ben, ben@example.org, Secret-12345' } })],
  ['nobody', 'POST user/clean-up', '401 403 403 403 403 400 400', () => ({ body: { user_id: '987654321' } })],
  ['whether somebody is muted', 'GET user/mute', active, () => ({ query: { username: 'oto' } })],
  ['somebody', 'PUT user/mute', active, () => ({ body: { username: 'oto', mute: false } })],
  ['the muted', 'GET personal/mute/page', active, () => ({ query: paged })],
  ['an answer', 'GET answer/info', everybody, async ({ answer }) => ({ query: { id: await answer() } })],
  ['a deleted answer', 'GET answer/info', seenByOwners, async ({ answer }) => ({ query: { id: await answer('deleted') } })],
  ['an open post', 'GET answer/page', everybody, async ({ post }) => ({ query: { experience_id: await post(), order: 'default', ...paged } })],
  ['a deleted post', 'GET answer/page', seenByOwners, async ({ post }) => ({ query: { experience_id: await post('deleted'), order: 'default', ...paged } })],
  ['an open post', 'GET comment/page', everybody, async ({ post }) => ({ query: { object_id: await post(), ...paged } })],
  ['a deleted post', 'GET comment/page', seenByOwners, async ({ post }) => ({ query: { object_id: await post('deleted'), ...paged } })],
  ['all tags', 'GET tags/page', everybody, () => ({ query: paged })],
  ['some tags', 'GET tags', everybody, () => ({ query: { tags: 'travel' } })],
  ['a tag', 'GET tag', everybody, () => ({ query: { name: 'travel' } })],
  ['a tag', 'GET tag/synonyms', everybody, async ({ tag }) => ({ query: { tag_id: await tag() } })],
  ['a beginning', 'GET experience/tags', active, () => ({ query: { tag: 'tr' } })],
  ['an own post', 'GET revisions/edit/check', owners, async ({ post }) => ({ query: { id: await post() } })],
  ['an own answer', 'GET revisions/edit/check', owners, async ({ answer }) => ({ query: { id: await answer() } })],

  // Writing
  ['a new one', 'POST experience', active, () => ({ body: draft() })],
  ['with an answer', 'POST experience/answer', active, () => ({ body: { ...draft(), answer_content: words() } })],
  ['an own post', 'PUT experience', owners, async ({ post }) => ({ body: { ...draft(), id: await post() } })],
  ['a closed post', 'PUT experience', owners, async ({ post }) => ({ body: { ...draft(), id: await post('closedByStaff') } })],
  ['a deleted post', 'PUT experience', '401 403 403 400 400 400 400', async ({ post }) => ({ body: { ...draft(), id: await post('deleted') } })],
  ['an open post', 'POST answer', active, async ({ post }) => ({ body: { experience_id: await post(), content: words() } })],
  ['a closed post', 'POST answer', '401 403 403 400 400 400 400', async ({ post }) => ({ body: { experience_id: await post('closed'), content: words() } })],
  ['a deleted post', 'POST answer', '401 403 403 404 404 404 404', async ({ post }) => ({ body: { experience_id: await post('deleted'), content: words() } })],
  ['an own answer', 'PUT answer', owners, async ({ answer }) => ({ body: { id: await answer(), experience_id: '', content: words() } })],
  ['a deleted answer', 'PUT answer', '401 403 403 404 400 400 400', async ({ answer }) => ({ body: { id: await answer('deleted'), experience_id: '', content: words() } })],
  ['a post', 'POST comment', active, async ({ post }) => ({ body: { object_id: await post(), original_text: words() } })],
  ['a deleted post', 'POST comment', '401 403 403 404 400 400 400', async ({ post }) => ({ body: { object_id: await post('deleted'), original_text: words() } })],
  ['a fresh one', 'PUT comment', owners, async ({ comment }) => ({ body: { comment_id: await comment(), original_text: words() } })],
  ['a tag', 'POST tag', staff, () => ({ body: { slug_name: `tag-${++running}`, display_name: `Tag ${running}`, original_text: words() } })],
  ['a tag', 'PUT tag', staff, async ({ tag }) => ({ body: { tag_id: await tag(), slug_name: `tag-${++running}`, display_name: `Tag ${running}`, original_text: words(), edit_summary: '' } })],
  ['a tag', 'PUT tag/synonym', staff, async ({ tag }) => ({ body: { tag_id: await tag(), synonym_tag_list: [{ slug_name: `other-${++running}`, display_name: 'Other' }] } })],

  // State of posts
  ['an open post', 'PUT experience/status', owners, async ({ post }) => ({ body: { id: await post(), close_type: 63, close_msg: '' } })],
  ['a post that staff reopened', 'PUT experience/status', staff, async ({ post }) => ({ body: { id: await post('reopenedByStaff'), close_type: 63, close_msg: '' } })],
  ['a post its author closed', 'PUT experience/status', '401 403 403 403 400 200 200', async ({ post }) => ({ body: { id: await post('closed'), close_type: 63, close_msg: '' } })],
  ['a post its author closed', 'PUT experience/reopen', owners, async ({ post }) => ({ body: { experience_id: await post('closed') } })],
  ['a post that staff closed', 'PUT experience/reopen', staff, async ({ post }) => ({ body: { experience_id: await post('closedByStaff') } })],
  ['pin', 'PUT experience/operation', staff, async ({ post }) => ({ body: { id: await post(), operation: 'pin' } })],
  ['unpin', 'PUT experience/operation', staff, async ({ post }) => ({ body: { id: await post('pinned'), operation: 'unpin' } })],
  ['unlist', 'PUT experience/operation', staff, async ({ post }) => ({ body: { id: await post(), operation: 'hide' } })],
  ['list', 'PUT experience/operation', staff, async ({ post }) => ({ body: { id: await post('unlisted'), operation: 'show' } })],
  ['pin an unlisted one', 'PUT experience/operation', '401 403 403 403 403 400 400', async ({ post }) => ({ body: { id: await post('unlisted'), operation: 'pin' } })],
  ['unlist a pinned one', 'PUT experience/operation', '401 403 403 403 403 400 400', async ({ post }) => ({ body: { id: await post('pinned'), operation: 'hide' } })],
  ['an own post', 'DELETE experience', owners, async ({ post }) => ({ body: { id: await post() } })],
  ['a post with answers', 'DELETE experience', '401 403 403 403 400 200 200', async ({ post }) => ({ body: { id: await post('withAnswers') } })],
  ['a deleted post', 'DELETE experience', '401 403 403 400 400 400 400', async ({ post }) => ({ body: { id: await post('deleted') } })],
  ['a post its author deleted', 'POST experience/recover', owners, async ({ post }) => ({ body: { experience_id: await post('deleted') } })],
  ['a post that staff deleted', 'POST experience/recover', staff, async ({ post }) => ({ body: { experience_id: await post('deletedByStaff') } })],
  ['close', 'PUT /admin/experience/status', admins, async ({ post }) => ({ body: { experience_id: await post(), status: 'closed' } })],
  ['delete', 'PUT /admin/experience/status', admins, async ({ post }) => ({ body: { experience_id: await post(), status: 'deleted' } })],

  // State of answers, comments and tags
  ['an own answer', 'DELETE answer', owners, async ({ answer }) => ({ body: { id: await answer() } })],
  ['an accepted answer', 'DELETE answer', '401 403 403 403 400 200 200', async ({ answer }) => ({ body: { id: await answer('accepted') } })],
  ['an answer with votes', 'DELETE answer', '401 403 403 403 400 200 200', async ({ answer }) => ({ body: { id: await answer('useful') } })],
  ['an answer its author deleted', 'POST answer/recover', '401 403 403 404 200 200 200', async ({ answer }) => ({ body: { answer_id: await answer('deleted') } })],
  ['an answer that staff deleted', 'POST answer/recover', '401 403 403 404 403 200 200', async ({ answer }) => ({ body: { answer_id: await answer('deletedByStaff') } })],
  ['an own post', 'POST answer/acceptance', owners, async ({ answered }) => {
    const { post, answer } = await answered()
    return { body: { experience_id: post, answer_id: answer } }
  }],
  ['an answer of another post', 'POST answer/acceptance', '401 403 403 403 400 400 400', async ({ post, answer }) => ({ body: { experience_id: await post(), answer_id: await answer() } })],
  ['delete', 'PUT /admin/answer/status', admins, async ({ answer }) => ({ body: { answer_id: await answer(), status: 'deleted' } })],
  ['an own comment', 'DELETE comment', owners, async ({ comment }) => ({ body: { comment_id: await comment() } })],
  ['an unused tag', 'DELETE tag', staff, async ({ tag }) => ({ body: { tag_id: await tag() } })],
  ['a deleted tag', 'POST tag/recover', staff, async ({ tag }) => ({ body: { tag_id: await tag('deleted') } })],

  // Votes: newcomers lack the reputation, nobody votes on their own.
  ['a post', 'POST vote/up', '401 403 403 403 400 200 200', async ({ post }) => ({ body: { object_id: await post(), is_cancel: false } })],
  ['a post', 'POST vote/down', '401 403 403 403 400 200 200', async ({ post }) => ({ body: { object_id: await post(), is_cancel: false } })],
  ['an answer', 'POST vote/up', '401 403 403 403 400 200 200', async ({ answer }) => ({ body: { object_id: await answer(), is_cancel: false } })],
  ['a comment', 'POST vote/up', '401 403 403 200 400 200 200', async ({ comment }) => ({ body: { object_id: await comment(), is_cancel: false } })],
  ['a deleted post', 'POST vote/up', '401 403 403 404 404 404 404', async ({ post }) => ({ body: { object_id: await post('deleted'), is_cancel: false } })],

  // Flags: nobody flags their own, staff decide.
  ['an open post', 'POST report', '401 403 403 200 400 200 200', async ({ post }) => ({ body: { object_id: await post(), report_type: 57, content: '' } })],
  ['a deleted post', 'POST report', '401 403 403 404 404 404 404', async ({ post }) => ({ body: { object_id: await post('deleted'), report_type: 57, content: '' } })],
  ['all', 'GET report/unreviewed/post', active, () => ({ query: { page: 1 } })],
  ['what waits', 'GET reviewing/type', active, () => ({})],
  ['a flag', 'PUT report/review', staff, async ({ flag }) => ({ body: { flag_id: await flag(), operation_type: 'delete_post' } })],
  ['a flag', 'PUT /admin/report', admins, async ({ flag }) => ({ body: { id: await flag(), flagged_type: 72 } })],

  ['all', 'GET review/pending/post/page', active, () => ({ query: { page: 1 } })],
  ['nothing', 'PUT review/pending/post', '401 403 403 403 403 400 400', () => ({ body: { review_id: 9999, status: 'approve' } })],

  // Notifications: everybody's are their own.
  ['the caller', 'GET notification/page', active, () => ({ query: { type: 'inbox', ...paged } })],
  ['the caller', 'GET notification/status', active, () => ({})],
  ['the caller', 'PUT notification/status', active, () => ({ body: { type: 'inbox' } })],
  ['an own one', 'PUT notification/read/state', '401 403 403 404 200 404 404', async ({ notice }) => ({ body: { id: await notice() } })],
  ['the caller', 'PUT notification/read/state/all', active, () => ({ body: { type: 'achievement' } })],
  ['the caller', 'GET user/notification/config', active, () => ({})],
  ['the caller', 'PUT user/notification/config', active, () => ({ body: { inbox: { key: 'email', enable: true } } })],
  ['a way that is there', 'POST user/notification/channel/retry', active, () => ({ body: { channel: 'email' } })],
  ['a code that nobody was sent', 'PUT user/notification/unsubscribe', '403 403 403 403 403 403 403', () => ({ body: { code: '1~email~daily~x' } })],

  // What members do beside writing: to what they may see, and for themselves.
  ['an open post', 'POST collection/switch', active, async ({ post }) => ({ body: { object_id: await post(), group_id: '0', bookmark: true } })],
  ['a deleted post', 'POST collection/switch', '401 403 403 404 404 404 404', async ({ post }) => ({ body: { object_id: await post('deleted'), group_id: '0', bookmark: true } })],
  ['the caller', 'GET personal/collection/page', active, () => ({ query: paged })],
  ['an open post', 'POST follow', active, async ({ post }) => ({ body: { object_id: await post(), is_cancel: false } })],
  ['a deleted post', 'POST follow', '401 403 403 404 404 404 404', async ({ post }) => ({ body: { object_id: await post('deleted'), is_cancel: false } })],
  ['a tag', 'POST follow', active, async ({ tag }) => ({ body: { object_id: await tag(), is_cancel: false } })],
  ['some tags', 'PUT follow/tags', active, () => ({ body: { slug_name_list: ['travel'] } })],
  ['of an open post', 'GET revisions', everybody, async ({ post }) => ({ query: { object_id: await post() } })],
  ['of a deleted post', 'GET revisions', seenByOwners, async ({ post }) => ({ query: { object_id: await post('deleted') } })],
  ['all', 'GET revisions/unreviewed', active, () => ({ query: { page: 1 } })],
  ['nothing', 'PUT revisions/audit', '401 403 403 404 404 404 404', () => ({ body: { id: '987654321', operation: 'approve' } })],
  ['of an open post', 'GET activity/timeline', active, async ({ post }) => ({ query: { object_id: await post() } })],
  ['of a deleted post', 'GET activity/timeline', '401 403 403 404 200 200 200', async ({ post }) => ({ query: { object_id: await post('deleted') } })],
  ['of an open post', 'GET activity/timeline/detail', active, async ({ revision }) => ({ query: { new_revision_id: await revision(), old_revision_id: '0' } })],
  ['of a deleted post', 'GET activity/timeline/detail', '401 403 403 404 200 200 200', async ({ revision }) => ({ query: { new_revision_id: await revision('deleted'), old_revision_id: '0' } })],
  ['an open post', 'GET experience/invite', everybody, async ({ post }) => ({ query: { id: await post() } })],
  ['a deleted post', 'GET experience/invite', seenByOwners, async ({ post }) => ({ query: { id: await post('deleted') } })],
  ['an open post', 'PUT experience/invite', owners, async ({ post }) => ({ body: { id: await post(), invite_user: ['oto'] } })],
  ['a deleted post', 'PUT experience/invite', '401 403 403 400 400 400 400', async ({ post }) => ({ body: { id: await post('deleted'), invite_user: ['oto'] } })],
  ['an open post', 'GET meta/reaction', everybody, async ({ post }) => ({ query: { object_id: await post() } })],
  ['a deleted post', 'GET meta/reaction', '400 400 400 400 200 200 200', async ({ post }) => ({ query: { object_id: await post('deleted') } })],
  ['an open post', 'PUT meta/reaction', active, async ({ post }) => ({ body: { object_id: await post(), emoji: 'heart', reaction: 'activate' } })],
  ['a deleted post', 'PUT meta/reaction', '401 403 403 400 400 400 400', async ({ post }) => ({ body: { object_id: await post('deleted'), emoji: 'heart', reaction: 'activate' } })],
  ['a word', 'GET search', everybody, () => ({ query: { q: 'train', order: 'relevance', ...paged, size: 10 } })],
  ['the engine', 'GET search/desc', everybody, () => ({})],
  ['a beginning', 'GET search/completion', everybody, () => ({ query: { q: 'tr' } })],
  ['an open post', 'POST share/opened', everybody, async ({ post, name }) => ({ body: { id: await post(), username: name } })],
  ['a deleted post', 'POST share/opened', everybody, async ({ post, name }) => ({ body: { id: await post('deleted'), username: name } })],
]

describe('who may do what with content', () => {
  let site: Site
  let people: Record<Role, TestPerson>
  let other: TestPerson

  beforeAll(async () => {
    site = await startSite()
    people = {
      visitor: site.visitor(),
      inactive: await site.member('ina', 'inactive'),
      suspended: await site.member('sue', 'suspended'),
      member: await site.member('mel'),
      owner: await site.member('ana'),
      moderator: await site.moderator('mona'),
      admin: await site.admin(),
    }
    other = await site.member('oto')
    await posted(people.admin)
  })
  afterAll(() => site.close())

  const must = async <T>(call: Promise<{ status: number; text: string; data: T }>): Promise<T> => {
    const { status, text, data } = await call
    if (status !== 200) throw new Error(`A thing of the table could not be made: ${text}`)
    return data
  }

  function things(): Things {
    const { owner, moderator, admin } = people
    const close = (person: TestPerson, id: string) => must(person.put(`${api}/experience/status`, { id, close_type: 63, close_msg: '' }))
    const operate = (id: string, operation: string) => must(moderator.put(`${api}/experience/operation`, { id, operation }))
    const into: Record<PostState, (id: string) => Promise<unknown>> = {
      closed: (id) => close(owner, id),
      closedByStaff: (id) => close(moderator, id),
      reopenedByStaff: async (id) => {
        await close(owner, id)
        await must(moderator.put(`${api}/experience/reopen`, { experience_id: id }))
      },
      deleted: (id) => must(owner.del(`${api}/experience`, { id })),
      deletedByStaff: (id) => must(moderator.del(`${api}/experience`, { id })),
      unlisted: (id) => operate(id, 'hide'),
      pinned: (id) => operate(id, 'pin'),
      withAnswers: async (id) => {
        await answered(other, id)
        await answered(moderator, id)
      },
    }
    return {
      name: owner.name,
      post: async (state) => {
        const id = await posted(owner)
        if (state) await into[state](id)
        return id
      },
      answer: async (state) => {
        const experience_id = await posted(other)
        const id = await answered(owner, experience_id)
        if (state === 'deleted') await must(owner.del(`${api}/answer`, { id }))
        if (state === 'deletedByStaff') await must(moderator.del(`${api}/answer`, { id }))
        if (state === 'accepted') await must(other.post(`${api}/answer/acceptance`, { experience_id, answer_id: id }))
        if (state === 'useful') await must(moderator.post(`${api}/vote/up`, { object_id: id, is_cancel: false }))
        return id
      },
      answered: async () => {
        const post = await posted(owner)
        return { post, answer: await answered(other, post) }
      },
      comment: async () => {
        const about = { object_id: await posted(other), original_text: words() }
        return (await must(owner.post<{ comment_id: string }>(`${api}/comment`, about))).comment_id
      },
      revision: async (state) => {
        const object_id = await posted(owner)
        const [newest] = await must(owner.get<{ id: string }[]>(`${api}/revisions`, { object_id }))
        if (state) await into[state](object_id)
        return newest?.id ?? ''
      },
      flag: async () => {
        await must(flag(other, await posted(owner)))
        return (await flaggedFor(moderator)).item?.flag_id ?? ''
      },
      notice: async () => {
        await answered(other, await posted(owner))
        await site.idle()
        const { list } = await must(owner.get<{ list: { id: string }[] }>(`${api}/notification/page`, { type: 'inbox', ...paged }))
        return list[0]?.id ?? ''
      },
      tag: async (state) => {
        const slug_name = `tag-${++running}`
        await must(admin.post(`${api}/tag`, { slug_name, display_name: slug_name, original_text: words() }))
        const { tag_id } = await must(admin.get<{ tag_id: string }>(`${api}/tag`, { name: slug_name }))
        if (state) await must(admin.del(`${api}/tag`, { tag_id }))
        return tag_id
      },
    }
  }

  const pathOf = (call: string) => {
    const path = call.split(' ')[1] ?? ''
    return path.startsWith('/admin') ? path.replace('/admin', adminApi) : `${api}/${path}`
  }

  async function ask(person: TestPerson, call: string, { query, body }: Given): Promise<number> {
    const path = pathOf(call)
    const method = call.split(' ')[0]
    if (method === 'GET') return (await person.get(path, query)).status
    return (await (method === 'POST' ? person.post(path, body) : method === 'PUT' ? person.put(path, body) : person.del(path, body))).status
  }

  it.each(table)('%s: %s is answered %s', async (_about, call, outcomes, given) => {
    const found: number[] = []
    // What only reads is about one thing for everybody.
    const shared = call.startsWith('GET') ? await given(things()) : undefined
    for (const role of roles) found.push(await ask(people[role], call, shared ?? (await given(things()))))
    expect(Object.fromEntries(roles.map((role, index) => [role, found[index]]))).toEqual(
      Object.fromEntries(roles.map((role, index) => [role, Number(outcomes.split(' ')[index])])),
    )
  })

  it('is written down for every call of these plugins', async () => {
    const writing = ['experiences', 'answers', 'comments', 'tags', 'votes', 'history']
    const beside = ['bookmarks', 'follows', 'invitations', 'reactions', 'recommendations', 'search', 'share']
    const owners = [...writing, ...beside, 'notifications', 'reports', 'review']
    const { paths } = await apiDocument(site)
    const calls = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { tags }]) => (owners.includes(tags[0] ?? '') ? [`${method.toUpperCase()} ${path}`] : [])),
    )
    const named = new Set(table.map(([, call]) => `${call.split(' ')[0]} ${pathOf(call).replace(/vote\/(up|down)$/, 'vote/{type}')}`))
    // The second one is for mail programs, at the address of a page: the mail's tests press it.
    const elsewhere = ['/tags/following', '/users/unsubscribe', '/opensearch.xml']
    expect(calls.filter((call) => !named.has(call) && !elsewhere.some((end) => call.endsWith(end)))).toEqual([])
  })

  it('makes nothing fail inside', () => {
    expect(site.errors).toEqual([])
  })
})
