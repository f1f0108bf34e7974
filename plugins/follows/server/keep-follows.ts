import type { Kysely } from 'kysely'
import type { Followable } from '../shared/api.ts'
import { followEvents } from '../shared/api.ts'
import type { Capabilities } from './capabilities.ts'
import type { Tables } from './tables.ts'

/** Stores follows with their counters and event. Each step runs in the caller's transaction and says whether it changed anything. */
export function createFollowKeeper({ ctx, objects, people }: Capabilities) {
  const ownerOf = (kind: string): Followable | undefined => objects.current.find(({ service }) => service.kind === kind)?.service

  const changed = async (kind: string, n: number, personId: number, delta: 1 | -1): Promise<void> => {
    await ownerOf(kind)?.addFollowers(n, delta)
    await people.current?.count(personId, 'follow_count', delta)
    await ctx.emit(followEvents.changed, { objectId: ctx.ids.encode(kind, n), personId, isFollowed: delta > 0 })
  }

  async function add(tx: Kysely<Tables>, kind: string, n: number, personId: number): Promise<boolean> {
    const row = await tx
      .insertInto('follows__follow')
      .values({ object_kind: kind, object_n: n, person_id: personId, created_at: ctx.now() })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (row) await changed(kind, n, personId, 1)
    return row !== undefined
  }

  async function drop(tx: Kysely<Tables>, kind: string, n: number, personId: number): Promise<boolean> {
    const { numDeletedRows } = await tx
      .deleteFrom('follows__follow')
      .where('object_n', '=', n)
      .where('object_kind', '=', kind)
      .where('person_id', '=', personId)
      .executeTakeFirst()
    if (numDeletedRows > 0n) await changed(kind, n, personId, -1)
    return numDeletedRows > 0n
  }

  /** What a person follows, in the order of kinds and numbers: whoever changes several goes in this order, so that two never wait for each other. */
  const ofPerson = (db: Kysely<Tables>, personId: number) =>
    db
      .selectFrom('follows__follow')
      .select(['object_kind as kind', 'object_n as n'])
      .where('person_id', '=', personId)
      .orderBy('object_kind')
      .orderBy('object_n')
      .execute()

  return { ownerOf, add, drop, ofPerson }
}

export type FollowKeeper = ReturnType<typeof createFollowKeeper>
