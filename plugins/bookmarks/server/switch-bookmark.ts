import type { Person } from '@stoa/sdk'
import type { ServerContext, Wanted } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import type { bookmarkable } from '../shared/api.ts'
import { bookmarkErrors, bookmarkEvents, mostBookmarks } from '../shared/api.ts'
import type { Tables } from './tables.ts'

export interface Capabilities {
  ctx: ServerContext<Tables>
  objects: Wanted<typeof bookmarkable>
}

interface Object {
  kind: string
  n: number
}

const ownerOf = ({ objects }: Capabilities, kind: string) => objects.current.find(({ service }) => service.kind === kind)?.service

/**
 * Bookmarks an object, or takes the bookmark away: doing it twice changes nothing. `toggle` does the opposite of what stands.
 * What has been hidden since can still be let go.
 * @returns how many people have it bookmarked then
 * @throws `error.object.not_found` for what cannot be bookmarked, does not exist or is not for this person's eyes; `error.collection.too_many`
 */
export async function switchBookmark(
  capabilities: Capabilities,
  person: Person,
  id: string,
  { bookmark, toggle }: { bookmark: boolean; toggle: boolean },
): Promise<number> {
  const { ctx } = capabilities
  const object = ctx.ids.decode(id)
  const owner = object && ownerOf(capabilities, object.kind)
  if (!object || !owner) throw bookmarkErrors.not_found({ id })
  const isThere = await owner.has(object.n, person)
  return ctx.db.write(async (tx) => {
    const wasTaken = (toggle || !bookmark) && (await takeAway(capabilities, tx, object, person.id))
    if (!wasTaken && !isThere) throw bookmarkErrors.not_found({ id })
    if (!wasTaken && (toggle || bookmark)) {
      const row = await tx
        .insertInto('bookmarks__bookmark')
        .values({ object_kind: object.kind, object_n: object.n, person_id: person.id, created_at: ctx.now() })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()
      if (row) {
        await tell(capabilities, object, person.id, 1)
        await requireRoom(tx, person.id)
      }
    }
    const { count } = await tx
      .selectFrom('bookmarks__bookmark')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('object_n', '=', object.n)
      .where('object_kind', '=', object.kind)
      .executeTakeFirstOrThrow()
    return Number(count)
  })
}

/** Takes all bookmarks of a person away, in the caller's transaction. */
export async function takeAllAway(capabilities: Capabilities, personId: number): Promise<void> {
  await capabilities.ctx.db.write(async (tx) => {
    const rows = await tx
      .selectFrom('bookmarks__bookmark')
      .select(['object_kind as kind', 'object_n as n'])
      .where('person_id', '=', personId)
      // Always in this order: two deletions at once do not wait for each other.
      .orderBy('object_kind')
      .orderBy('object_n')
      .execute()
    for (const object of rows) await takeAway(capabilities, tx, object, personId)
  })
}

async function takeAway(capabilities: Capabilities, tx: Kysely<Tables>, { kind, n }: Object, personId: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('bookmarks__bookmark')
    .where('object_n', '=', n)
    .where('object_kind', '=', kind)
    .where('person_id', '=', personId)
    .executeTakeFirst()
  if (numDeletedRows > 0n) await tell(capabilities, { kind, n }, personId, -1)
  return numDeletedRows > 0n
}

async function tell(capabilities: Capabilities, { kind, n }: Object, personId: number, delta: 1 | -1): Promise<void> {
  const { ctx } = capabilities
  await ownerOf(capabilities, kind)?.addBookmarks(n, delta)
  await ctx.emit(bookmarkEvents.changed, { objectId: ctx.ids.encode(kind, n), personId, isBookmarked: delta > 0 })
}

/** After the bookmark was stored, so that two at once cannot both take the last place. */
async function requireRoom(tx: Kysely<Tables>, personId: number): Promise<void> {
  const { count } = await tx
    .selectFrom('bookmarks__bookmark')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('person_id', '=', personId)
    .executeTakeFirstOrThrow()
  if (Number(count) > mostBookmarks) throw bookmarkErrors.too_many({ most: mostBookmarks })
}
