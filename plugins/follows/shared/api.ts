import type { Decorated, Person } from '@stoa/sdk'
import { call, decorator, defineErrors, event, read, service, services } from '@stoa/sdk'
import type * as schemas from './schemas.ts'

export * from './slots.ts'

/** Something that can be followed; each owner of a kind provides one. */
export interface Followable {
  /** Kind name from `plugin.json`. */
  kind: string
  /**
   * What a number leads to: itself, or what it stands for, as a synonym stands for its tag. Undefined when it does not exist, may not be followed,
   * or the person may not see it.
   */
  find(n: number, person: Person): Promise<{ n: number } | undefined>
  /** Adds to the stored number of followers, in the caller's transaction. */
  addFollowers(n: number, delta: number): Promise<void>
  /** Running numbers for names, in any order, for kinds that people choose by name; unknown names are reported, lower case. */
  named?(names: readonly string[]): Promise<{ ns: number[]; unknown: string[] }>
}
export const followable = services<Followable>('follows.followable')
/** Numbers of followers, for those who keep them (`kept` of `server/commands.ts`). */
export const countedFollowers = 'follows.followers'

/** What `npm run seed` made of things to follow, as the `internal` of what their owner's seeder returns. */
export interface SeededFollowables {
  /** Share of them that are followed, and most followers of one; some by a few when left out. */
  usual?: { share: number; most: number }
  /** In order of their numbers, some at once. @param db transaction of the calling seeder */
  each(db: unknown): AsyncIterable<{ n: number; createdAt: number }[]>
  /** Adds to the stored numbers of followers, by running number. @param db transaction of the calling seeder */
  addFollowers(db: unknown, amounts: ReadonlyMap<number, number>): Promise<void>
}

/** Called by the owner of a kind for objects on their way out: filled is whether the person who asks follows them. */
export const followed = decorator<Decorated<{ is_followed: boolean }>>('follows.followed')

/** Numbers of one kind that the person who asks follows, last followed first; none for visitors. @param limit at most {@link mostFollowed} */
export const followedNumbers = read<{ kind: string; limit: number }, number[]>('follows.numbers')

/** How much of one kind somebody may follow. */
export const mostFollowed = 1000

export interface Follows {
  /**
   * Who follows an object, by id of the person, for notices about it.
   * @param after id of the last person of the page before, 0 for the first page
   * @param limit people of a page
   */
  followersOf(object: { kind: string; n: number }, page: { after: number; limit: number }): Promise<number[]>
  /**
   * What was several objects is one from here on, as synonyms become their tag: whoever followed any of them follows it. In the caller's
   * transaction.
   */
  move(kind: string, from: readonly number[], to: number): Promise<void>
}
export const follows = service<Follows>('follows.follows')

export const followEvents = {
  /** Somebody began to follow an object, or stopped. */
  changed: event<{ objectId: string; personId: number; isFollowed: boolean }>('follows.changed'),
}

export const followCalls = {
  follow: call.post<typeof schemas.follow>('follow'),
  followTags: call.put<typeof schemas.followTags>('follow/tags'),
}

export const followErrors = {
  ...defineErrors('error.object', {
    not_found: { status: 404, message: 'Nothing to follow: {id}' },
  }),
  ...defineErrors('error.follow', {
    too_many: { status: 400, message: 'No more than {most} can be followed', display: 'toast' },
  }),
}
