import type { Decorated, Person } from '@stoa/sdk'
import { bail, call, decorator, defineErrors, event, filter, read, series, service, waterfall } from '@stoa/sdk'
import type { Static } from '@stoa/sdk/schema'
import type { SeededCommentables } from '../../comments/shared/api.ts'
import type { SeededVotables } from '../../votes/shared/api.ts'
import type * as schemas from './schemas.ts'

export type { Decorated } from '@stoa/sdk'

/** Codes in public ids of posts and of what answers them, as their owners' `plugin.json` declare them: they hold while an owner is off. */
export const postKinds = { experience: 1, answer: 2 } as const

export * from './slots.ts'

/** Status numbers of the protocol. */
export const postStatus = { available: 1, closed: 2, deleted: 10, pending: 11 } as const
/** Their words in replies and PUTs. */
export const postStatusWord: Record<number, string> = { 1: 'available', 2: 'closed', 10: 'deleted', 11: 'pending' }

/** What other plugins may know of a post. `n` is the running number. */
export interface PostFacts {
  n: number
  /** Long public id. */
  id: string
  authorId: number
  title: string
  urlTitle: string
  status: number
  /** 1 listed, 2 unlisted. */
  show: number
  answerCount: number
  voteCount: number
  /** Running number of the accepted answer, 0 for none. */
  acceptedAnswer: number
  createdAt: number
}

/** Whoever provides it declares the kind `experience` in its `plugin.json`: the protocol's ids of posts say so. */
export interface Posts {
  find(n: number): Promise<PostFacts | undefined>
  /** Deleted and pending posts are seen by author and staff. */
  mayView(person: Person | null, post: Pick<PostFacts, 'authorId' | 'status'>): boolean
  /** An answer came or went: answer count, last answer, activity time; in the caller's transaction. `delta` 1 or -1. */
  answered(n: number, change: { delta: number; answer: number; personId: number; at: number }): Promise<void>
  /** `answer` 0 takes acceptance back. */
  accept(n: number, answer: number): Promise<void>
  /** Sum of the votes of its answers changed (heat). */
  answerVotes(n: number, delta: number): Promise<void>
  /**
   * Lists a post in exactly these groups of a kind, such as those of its tags, in the transaction of {@link experienceHooks}`.stored`. A list
   * narrowed to {@link inGroup} costs the same on a site of any size.
   */
  group(n: number, kind: string, groups: readonly number[]): Promise<void>
  /** The same for posts that are not being stored, in the caller's transaction or one of its own. */
  regroup(kind: string, posts: readonly { n: number; groups: readonly number[] }[]): Promise<void>
  /**
   * Everything `POST experience` does: permission, hooks, rules, row, events; in the caller's transaction when there is one.
   * @param otherFields field errors (field → text key) the caller found in the same form; they are refused together with ours
   * @throws `base.request_format_error` with the field list, `error.site.rank_too_low`
   */
  publish(draft: PostDraft, author: Person, otherFields?: Record<string, string>): Promise<PostFacts>
}
export const posts = service<Posts>('experiences.posts')

export interface TagChoice {
  slug_name: string
  display_name?: string
  original_text?: string
}
/** What is about to be stored. */
export interface PostDraft {
  /** Running number when an existing post is edited. */
  n?: number
  title: string
  content: string
  /** Null when the request left tags out. */
  tags: TagChoice[] | null
}

export const experienceHooks = {
  /**
   * Last chance to change or refuse a post. Runs before the transaction, in the author's request; also for a draft whose title or text was
   * refused already, so that one reply names everything that is wrong.
   */
  beforePublish: waterfall<(draft: PostDraft, author: Person) => PostDraft>('experiences.beforePublish', { onFault: 'refuse' }),
  /** In the storing transaction, the row exists. `listed`: counts in public lists. */
  stored: series<(post: { n: number; draft: PostDraft; authorId: number; created: boolean; listed: boolean }) => void>(
    'experiences.stored',
    { onFault: 'refuse' },
  ),
  /** In the transaction: the post entered or left public lists (delete, recover, hide, show). */
  listingChanged: series<(post: { n: number; listed: boolean }) => void>('experiences.listingChanged', { onFault: 'refuse' }),
  /**
   * `revisions/edit/check` for an object of another plugin: its owner answers true when `person` may edit it, throws the refusal, and stays
   * silent for other kinds.
   */
  mayEdit: bail<(object: { kind: string; n: number }, person: Person) => boolean>('experiences.mayEdit', { onFault: 'refuse' }),
}

export const experienceEvents = {
  created: event<{ n: number; authorId: number }>('experiences.created'),
  /** Anything that readers or an index could see changed: text, tags, votes, counts, status. */
  changed: event<{ n: number }>('experiences.changed', { whileOff: 'resync' }),
}

export type TagView = Static<typeof schemas.tag>
/** Item of every experience list; owners other than experiences fill `tags`. */
export type ExperienceListItem = Static<typeof schemas.listItem>
export type ExperiencePage = Static<typeof schemas.page.reply>
/** Reply of `experience/info`; votes fills `vote_status`, tags `tags`, answers `answered` and `first_answer_id`. */
export type ExperienceView = Static<typeof schemas.detail>
export const experienceList = decorator<Decorated<ExperienceListItem>>('experiences.list')
export const experienceDetail = decorator<Decorated<ExperienceView>>('experiences.detail')

/**
 * Says that the posts which a filter of lists gives are those that {@link Posts.group} listed in a group: then lists walk the group in their order,
 * and the sub-query is asked only beside other conditions.
 */
export const inGroup = <Ids extends object>(kind: string, group: number, ids: Ids): Ids & { postGroup: string } =>
  Object.assign(ids, { postGroup: `${kind}:${group}` })

/**
 * Narrows experience lists: ids of listed posts, each once. Tags answers `tag`, and `like` with the posts that share the first tag of that one.
 * Whoever knows neither answers nothing.
 */
export const experienceFilter = filter<{ tag?: string | undefined; like?: number | undefined }>('experiences.filter')

/** Short facts by running number, for other plugins' reads; unknown numbers are left out. */
export const experienceCards = read<{ ns: number[] }, Record<number, PostFacts>>('experiences.cards')
/** Reply of `experience/info` for the person who asks; null when there is none they may see. */
export const experienceView = read<{ n: number }, ExperienceView | null>('experiences.view')
/** A page of list items in the order of `ns`, decorated. */
export const experienceItems = read<{ ns: number[] }, ExperienceListItem[]>('experiences.items')

/**
 * Address of a post, or of an answer to it, under a permalink mode (`siteinfo` → `site_seo.permalink`): 1 and 3 carry the title, 2 and 4 do not.
 * The id is taken as it came from the server, which sends the form of the mode.
 */
export function experiencePath(permalink: number, post: { id: string; url_title?: string }, answerId?: string): string {
  const title = (permalink === 1 || permalink === 3) && post.url_title ? `/${post.url_title}` : ''
  return `/experiences/${post.id}${title}${answerId ? `/${answerId}` : ''}`
}

/** An answer in a profile. */
export type PersonalAnswer = Static<typeof schemas.personalAnswer>
/** Reply of `personal/qa/top` under decoration; answers fills `answer`. */
export interface PersonalTop {
  personId: number
  view: Static<typeof schemas.top.reply>
}
export const personalTop = decorator<PersonalTop>('experiences.personalTop')

/** A seeded post. `answers` and `votes` are the counts already stored with it; `accepted`: one of its answers is to be. */
export interface SeededPost {
  n: number
  authorId: number
  createdAt: number
  answers: number
  votes: number
  accepted: boolean
  listed: boolean
}

/** What `npm run seed` made of posts, for the seeders after it: `seeded<{ internal: SeededPosts }>('experiences').internal`. */
export interface SeededPosts extends SeededCommentables, SeededVotables {
  /** How many there are. */
  size: number
  /** In order of their numbers, and of time, some at once: a million do not fit in memory. @param db transaction of the calling seeder */
  each(db: unknown): AsyncIterable<SeededPost[]>
  /** Lists posts in groups, see {@link Posts.group}; behind everything that changes what they are sorted by. @param db transaction of the calling seeder */
  group(db: unknown, kind: string, posts: { n: number; groups: number[] }[]): Promise<void>
  /** Stores who answered last and what was accepted, for many posts at once. @param db transaction of the calling seeder */
  settle(
    db: unknown,
    rows: { n: number; lastAnswer: number; personId: number; at: number; acceptedAnswer: number; answerVotes: number }[],
  ): Promise<void>
}

export const experienceCalls = {
  page: call.get<typeof schemas.page>('experience/page'),
  info: call.get<typeof schemas.info>('experience/info'),
  similar: call.get<typeof schemas.similar>('experience/similar'),
  related: call.get<typeof schemas.related>('experience/similar/tag'),
  linked: call.get<typeof schemas.linked>('experience/link'),
  recommended: call.get<typeof schemas.page>('experience/recommend/page'),
  personal: call.get<typeof schemas.personal>('personal/experience/page'),
  top: call.get<typeof schemas.top>('personal/qa/top'),
  adminPage: call.get<typeof schemas.adminPage>('experience/page', { admin: true }),
  create: call.post<typeof schemas.create>('experience'),
  update: call.put<typeof schemas.update>('experience'),
  remove: call.del<typeof schemas.remove>('experience'),
  close: call.put<typeof schemas.close>('experience/status'),
  reopen: call.put<typeof schemas.byExperience>('experience/reopen'),
  operate: call.put<typeof schemas.operate>('experience/operation'),
  recover: call.post<typeof schemas.byExperience>('experience/recover'),
  setStatus: call.put<typeof schemas.setStatus>('experience/status', { admin: true }),
  editCheck: call.get<typeof schemas.editCheck>('revisions/edit/check'),
}

export const experienceErrors = defineErrors('error.experience', {
  not_found: { status: 404, message: 'No experience {id}' },
  cannot_deleted: { status: 400, message: 'Experience {id} may not be deleted' },
  cannot_close: { status: 400, message: 'Experience {id} may not be closed' },
  cannot_update: { status: 400, message: 'Experience {id} may not be updated' },
  already_deleted: { status: 400, message: 'Experience {id} is already deleted' },
})
