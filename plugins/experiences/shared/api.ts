import type { Decorated, Extensions, Page, Person } from '@stoa/sdk'
import { bail, call, decorator, defineErrors, event, filter, read, series, service, waterfall } from '@stoa/sdk'
import type { Static } from '@stoa/sdk/schema'
import type { SeededBookmarkables } from '../../bookmarks/shared/api.ts'
import type { SeededCommentables } from '../../comments/shared/api.ts'
import type { SeededFollowables } from '../../follows/shared/api.ts'
import type { SeededVotables } from '../../votes/shared/api.ts'
import { alike } from './light.ts'
import type { PostDraft } from './post.ts'
import type * as schemas from './schemas.ts'

export type { Decorated } from '@stoa/sdk'

/** Codes in public ids of posts and of what answers them, as their owners' `plugin.json` declare them: they hold while an owner is off. */
export const postKinds = { experience: 1, answer: 2 } as const

export { experiencePath } from './light.ts'
export type * from './post.ts'
export * from './slots.ts'

/** Status numbers of the protocol. */
export const postStatus = { available: 1, closed: 2, deleted: 10, pending: 11 } as const
/** Takes part in the life of the site: answers, comments and votes are taken. Others are seen by their author and staff alone. */
export const isLive = ({ status }: { status: number }): boolean => status === postStatus.available || status === postStatus.closed
/** Stands in public lists. */
export const isListed = (post: { status: number; show: number }): boolean => isLive(post) && post.show === 1
/** The words of the numbers in replies and PUTs. */
export const postStatusWord: Record<number, string> = { 1: 'available', 2: 'closed', 10: 'deleted', 11: 'pending' }

/** What is done to the state of a post, in the words of the protocol's timeline. */
export type PostAct = 'closed' | 'reopened' | 'deleted' | 'undeleted' | 'pin' | 'unpin' | 'hide' | 'show'

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
  /**
   * Holds these posts against other writers until the caller's transaction ends. Whoever changes what stands below a post, and by that the post (its
   * counts, votes, last answer), holds it before anything else, as its own changes hold it before they change what stands below: so nobody waits for
   * somebody who waits for them. What {@link find} gives from then on stays.
   */
  hold(...ns: number[]): Promise<void>
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
   * Says what a text below a post links to, in the caller's transaction: the posts of its own-site addresses count as linked by post `n`.
   * @param source names the text among those of the post: kind and running number
   * @param html as it was rendered; empty when the text is gone
   */
  link(n: number, source: `${string}:${number}`, html: string): Promise<void>
  /**
   * Everything `POST experience` does: permission, hooks, rules, row, events; in the caller's transaction when there is one.
   * @param otherFields field errors (field → text key) the caller found in the same form; they are refused together with ours
   * @throws `base.request_format_error` with the field list, `error.site.rank_too_low`
   */
  publish(draft: PostDraft, author: Person, otherFields?: Record<string, string>): Promise<PostFacts>
  /** The same in two steps: checks and renders, before any transaction. @returns what stores the post, in the caller's transaction */
  prepare(draft: PostDraft, author: Person, otherFields?: Record<string, string>): Promise<() => Promise<PostFacts>>
}
export const posts = service<Posts>('experiences.posts')

export const experienceHooks = {
  /**
   * Last chance to change or refuse a post. Runs before the transaction, in the author's request; also for a draft whose title or text was
   * refused already, so that one reply names everything that is wrong.
   */
  beforePublish: waterfall<(draft: PostDraft, author: Person) => PostDraft>('experiences.beforePublish', {
    onFault: 'refuse',
    shape: {
      n: 'number?',
      title: 'string',
      content: 'string',
      tags: { '?': [{ slug_name: 'string', display_name: 'string?', original_text: 'string?' }] },
      extensions: 'object?',
    },
  }),
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
  /** Somebody changed text or tags; `version`: the new one, `editorId`: whose change it is, also when somebody else let it pass. */
  edited: event<{ n: number; editorId: number; version: number }>('experiences.edited'),
  /** Anything that readers or an index could see changed: text, tags, votes, counts, status. */
  changed: event<{ n: number }>('experiences.changed', { whileOff: 'resync' }),
  /**
   * Somebody changed the state of a post. `personId` 0: the site itself; `byStaff`: not the author; `at`: Unix seconds; `reason` of a closing:
   * the protocol's number and what was written (the address of the original for a duplicate).
   */
  acted: event<{ n: number; act: PostAct; personId: number; byStaff: boolean; at: number; reason?: { type: number; message: string } }>(
    'experiences.acted',
    { whileOff: 'replay' },
  ),
}

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
 * Two that others select by, see {@link experienceSelection}, where an id may come more than once: `tags`, posts with any of these tags by running
 * number, and `answeredBy`, posts to which a person has an answer. Whoever knows none of them answers nothing.
 */
export const experienceFilter = filter<{
  tag?: string | undefined
  like?: number | undefined
  tags?: readonly number[] | undefined
  answeredBy?: number | undefined
}>('experiences.filter')

/** A list of posts that another plugin puts together of sub-queries of ids, as `ctx.filters` gives them for {@link experienceFilter}. */
export interface PostSelection {
  /** Running numbers of posts that stand before all others, at most some hundreds; those that are not listed are left out. */
  first: readonly number[]
  /** The others: posts in any of these. */
  among: readonly object[]
  /** But not those in one of these. */
  except: readonly object[]
  /** And not those of this author. */
  notBy?: number | undefined
  /** Names `among`, `except` and `notBy` for the cache of counts. */
  key: string
  page: number
  page_size: number
}
/** A page of open, listed posts of a selection, pinned ones and the newest first in each part, decorated. */
export const experienceSelection = read<PostSelection, Page<ExperienceListItem>>('experiences.selection')

/**
 * Ids of the posts that the person who asks may see, for plugins that list what stands below posts. `listed`: those that stand in no list are left out,
 * except for their authors and staff.
 */
export const visibleExperiences = filter<{ listed: boolean }>('experiences.visible')

/** Short facts by running number, for other plugins' reads; unknown numbers are left out. */
export const experienceCards = read<{ ns: number[] }, Record<number, PostFacts>>('experiences.cards')
/** Reply of `experience/info` for the person who asks; null when there is none they may see. */
export const experienceView = read<{ n: number }, ExperienceView | null>('experiences.view')
/** A post with its text, as programs read it. */
export interface PostText {
  /** As in a list. */
  item: ExperienceListItem
  /** Path of its page. */
  path: string
  /** Markdown. */
  content: string
  html: string
  /** Unix seconds of the last edit, or of the beginning. */
  changedAt: number
}
/** Listed posts, newest first, at most 50; those of a tag, of a person, or the one with a number (that is `ns`), if it is given. */
export const experienceTexts = read<
  { tag?: string | undefined; username?: string | undefined; ns?: number[] | undefined; limit: number },
  PostText[]
>('experiences.texts')
/** A page of list items in the order of `ns`, decorated. */
export const experienceItems = read<{ ns: number[] }, ExperienceListItem[]>('experiences.items')

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
export interface SeededPosts extends SeededBookmarkables, SeededCommentables, SeededFollowables, SeededVotables {
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
  alike,
  related: call.get<typeof schemas.related>('experience/similar/tag'),
  linked: call.get<typeof schemas.linked>('experience/link'),
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

/** Data of the 409 `error.experience.changed_meanwhile` to an edit that names a version: somebody else was quicker, and this stands there now. */
export interface ChangedMeanwhile {
  version: number
  title: string
  content: string
  tags: { slug_name: string; display_name: string }[]
  /** Values of plugins that are on, by slug, and the same in words. */
  extensions: Extensions
  fields: { slug: string; label: string; text: string }[]
  /** Who changed it, or empty. */
  editor: string
}

export const experienceErrors = defineErrors('error.experience', {
  not_found: { status: 404, message: 'No experience {id}' },
  cannot_deleted: { status: 400, message: 'Experience {id} may not be deleted' },
  cannot_close: { status: 400, message: 'Experience {id} may not be closed' },
  cannot_update: { status: 400, message: 'Experience {id} may not be updated' },
  already_deleted: { status: 400, message: 'Experience {id} is already deleted' },
})

/** Numbers of answers that stand, which whoever stores answers counts (`counted` of `server/commands.ts`). */
export const countedAnswers = 'experiences.answers'
/** 1 for each post in public lists, for those who keep that beside what they store of posts (`kept` of `server/commands.ts`). */
export const listedPosts = 'experiences.listed'
