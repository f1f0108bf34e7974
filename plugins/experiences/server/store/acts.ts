import type { Person } from '@stoa/sdk'
import type { ServerContext } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import type { PostAct } from '../../shared/api.ts'
import { experienceEvents } from '../../shared/api.ts'
import type { ActTable, Tables } from './tables.ts'

/** What an act undoes, or is undone by. */
const sideOf: Record<PostAct, ActTable['side']> = {
  closed: 'closing',
  reopened: 'closing',
  deleted: 'deletion',
  undeleted: 'deletion',
  hide: 'listing',
  show: 'listing',
  pin: 'pinning',
  unpin: 'pinning',
}

export type LastActs = Partial<Record<ActTable['side'], Pick<ActTable, 'act' | 'person_id' | 'by_staff' | 'at'>>>

/** The last act on each side of a post's state. */
export async function lastActs(db: Kysely<Tables>, n: number): Promise<LastActs> {
  const rows = await db
    .selectFrom('experiences__act')
    .select(['side', 'act', 'person_id', 'by_staff', 'at'])
    .where('post_id', '=', n)
    .execute()
  return Object.fromEntries(rows.map(({ side, ...last }) => [side, last]))
}

/** Keeps who did what to a post, and tells whoever listens; in the caller's transaction. `person` null: the site itself. */
export async function noteAct(
  ctx: ServerContext<Tables>,
  tx: Kysely<Tables>,
  post: { id: number; author_id: number },
  act: PostAct,
  person: Person | null,
  reason?: { type: number; message: string },
): Promise<void> {
  const at = ctx.now()
  const byStaff = person?.id !== post.author_id
  const last = { act, person_id: person?.id ?? 0, by_staff: Number(byStaff), at }
  await tx
    .insertInto('experiences__act')
    .values({ post_id: post.id, side: sideOf[act], ...last })
    .onConflict((conflict) => conflict.columns(['post_id', 'side']).doUpdateSet(last))
    .execute()
  await ctx.emit(experienceEvents.acted, { n: post.id, act, personId: last.person_id, byStaff, at, ...(reason && { reason }) })
}
