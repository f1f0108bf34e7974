import type { Person } from '@stoa/sdk'
import type { Kysely } from 'kysely'
import type { Emoji, Reaction } from '../shared/api.ts'
import { reactionErrors, reactionEvents } from '../shared/api.ts'
import type { Capabilities, Target } from './find-object.ts'
import { requireObject } from './find-object.ts'
import { summaryOf } from './read-tokens.ts'
import type { Tables } from './tables.ts'
import { NAMED } from './tables.ts'

/** Gives a reaction or takes it back; the same again changes nothing, `toggle` is the opposite of now. @returns what stands then */
export async function react(
  capabilities: Capabilities,
  person: Person,
  { id, emoji, reaction }: { id: string; emoji: Emoji; reaction: 'activate' | 'deactivate' | 'toggle' },
): Promise<Reaction[]> {
  const { ctx } = capabilities
  const { isLive, ...target } = await requireObject(capabilities, person, id)
  if (!isLive) throw reactionErrors.not_found({ id })
  const { kind, n, authorId } = target
  return ctx.db.write(async (tx) => {
    const wasTaken = reaction !== 'activate' && (await takeBack(tx, target, person.id, emoji))
    const active = reaction === 'activate' || (reaction === 'toggle' && !wasTaken)
    const wasGiven = active && (await give(tx, target, person.id, emoji, ctx.now()))
    if (wasTaken || wasGiven) {
      await recount(tx, target, emoji, active ? 1 : -1)
      const objectId = ctx.ids.encode(kind, n)
      await ctx.emit(reactionEvents.reacted, { kind, n, objectId, personId: person.id, authorId, emoji, active })
    }
    return ctx.read(summaryOf, { kind, n })
  })
}

async function give(tx: Kysely<Tables>, { kind, n }: Target, person_id: number, emoji: string, created_at: number): Promise<boolean> {
  const row = await tx
    .insertInto('reactions__reaction')
    .values({ object_kind: kind, object_n: n, emoji, person_id, created_at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

async function takeBack(tx: Kysely<Tables>, { kind, n }: Target, personId: number, emoji: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('reactions__reaction')
    .where('object_n', '=', n)
    .where('object_kind', '=', kind)
    .where('person_id', '=', personId)
    .where('emoji', '=', emoji)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Keeps the sum true. The row of the sum comes first: of two people at once, the second counts the first. */
async function recount(tx: Kysely<Tables>, { kind, n }: Pick<Target, 'kind' | 'n'>, emoji: string, delta: 1 | -1): Promise<void> {
  await tx
    .insertInto('reactions__summary')
    .values({ object_kind: kind, object_n: n, emoji, count: 1 })
    .onConflict((conflict) =>
      conflict.columns(['object_n', 'object_kind', 'emoji']).doUpdateSet((eb) => ({ count: eb('reactions__summary.count', '+', delta) })),
    )
    .execute()
  await nameFirst(tx, { kind, n }, emoji)
}

async function nameFirst(tx: Kysely<Tables>, { kind, n }: Pick<Target, 'kind' | 'n'>, emoji: string): Promise<void> {
  const first = await tx
    .selectFrom('reactions__reaction')
    .select('person_id')
    .where('object_n', '=', n)
    .where('object_kind', '=', kind)
    .where('emoji', '=', emoji)
    .orderBy('id')
    .limit(NAMED)
    .execute()
  await tx
    .updateTable('reactions__summary')
    .set({ first_people: JSON.stringify(first.map((row) => row.person_id)) })
    .where('object_n', '=', n)
    .where('object_kind', '=', kind)
    .where('emoji', '=', emoji)
    .execute()
}

/** Somebody is deleted with everything they gave; in that transaction. */
export async function forgetPerson({ ctx }: Capabilities, personId: number): Promise<void> {
  await ctx.db.write(async (tx) => {
    const rows = await tx.deleteFrom('reactions__reaction').where('person_id', '=', personId).returningAll().execute()
    for (const { object_kind, object_n, emoji } of rows) await recount(tx, { kind: object_kind, n: object_n }, emoji, -1)
  })
}

/** Reactions of somebody are another's from now on. */
export async function giveTo({ ctx }: Capabilities, personId: number, otherId: number): Promise<void> {
  await ctx.db.write(async (tx) => {
    const rows = await tx
      .updateTable('reactions__reaction')
      .set({ person_id: otherId })
      .where('person_id', '=', personId)
      .returning(['object_kind', 'object_n', 'emoji'])
      .execute()
    for (const { object_kind, object_n, emoji } of rows) await nameFirst(tx, { kind: object_kind, n: object_n }, emoji)
  })
}
