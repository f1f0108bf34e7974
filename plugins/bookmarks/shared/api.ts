import type { Decorated, Person } from '@stoa/sdk'
import { call, decorator, defineErrors, event, filter, read, services } from '@stoa/sdk'
import type { Static } from '@stoa/sdk/schema'
import type * as schemas from './schemas.ts'

export * from './slots.ts'

/** Something that can be bookmarked; each owner of a kind provides one. */
export interface Bookmarkable {
  /** Kind name from `plugin.json`. */
  kind: string
  /** False when it does not exist, may not be bookmarked, or the person may not see it. */
  has(n: number, person: Person): Promise<boolean>
  /** Adds to the stored number of bookmarks, in the caller's transaction. */
  addBookmarks(n: number, delta: number): Promise<void>
}
export const bookmarkable = services<Bookmarkable>('bookmarks.bookmarkable')
/** Numbers of bookmarks, for those who keep them (`kept` of `server/commands.ts`). */
export const countedBookmarks = 'bookmarks.bookmarks'

/** What `npm run seed` made of things to bookmark, as the `internal` of what their owner's seeder returns. */
export interface SeededBookmarkables {
  /** In order of their numbers, some at once. @param db transaction of the calling seeder */
  each(db: unknown): AsyncIterable<{ n: number; createdAt: number }[]>
  /** Adds to the stored numbers of bookmarks, by running number. @param db transaction of the calling seeder */
  addBookmarks(db: unknown, amounts: ReadonlyMap<number, number>): Promise<void>
}

/** Called by the owner of a kind for objects on their way out: filled is whether the person who asks has bookmarked them. */
export const collected = decorator<Decorated<{ collected: boolean }>>('bookmarks.collected')

/** What somebody bookmarked, as `personal/collection/page` shows it. */
export type Bookmarked = Static<typeof schemas.bookmarked>
/** Rows of a person's own bookmarks; the owner of each kind fills `view`. What stays null (hidden since, or its owner is off) is left out. */
export const ownBookmarks = decorator<{ kind: string; n: number; view: Bookmarked | null }>('bookmarks.own')
/**
 * Running numbers of those of a kind for which {@link ownBookmarks} is filled, by the owner of the kind: pages and their count are made of these. Where nobody
 * answers for a kind, of all of it.
 */
export const shownBookmarks = filter<{ kind: string }>('bookmarks.shown')

/** What the person who asks has bookmarked of all kinds, last one first; nothing for visitors. @param limit at most {@link mostBookmarks} */
export const bookmarkedObjects = read<{ limit: number }, { kind: string; n: number }[]>('bookmarks.objects')

/** How much somebody may bookmark. */
export const mostBookmarks = 2000

export const bookmarkEvents = {
  /** Somebody bookmarked an object, or took that back. */
  changed: event<{ objectId: string; personId: number; isBookmarked: boolean }>('bookmarks.changed'),
}

export const bookmarkCalls = {
  toggle: call.post<typeof schemas.toggle>('collection/switch'),
  own: call.get<typeof schemas.own>('personal/collection/page'),
}

export const bookmarkErrors = {
  ...defineErrors('error.object', {
    not_found: { status: 404, message: 'Nothing to bookmark: {id}' },
  }),
  ...defineErrors('error.collection', {
    too_many: { status: 400, message: 'No more than {most} can be bookmarked', display: 'toast' },
  }),
}
