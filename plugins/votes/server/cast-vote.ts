import type { Person } from '@stoa/sdk'
import type { Needed, ServerContext, Wanted } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import type { reputation } from '../../accounts/shared/api.ts'
import type { permissions } from '../../site/shared/api.ts'
import type { votable } from '../shared/api.ts'
import { voteErrors, voteEvents } from '../shared/api.ts'
import type { Target } from './find-target.ts'
import { findTarget } from './find-target.ts'
import { moveRewards } from './rewards.ts'
import type { Direction, Tables } from './tables.ts'
import { statusWord } from './tables.ts'

export interface Capabilities {
  ctx: ServerContext<Tables>
  permissions: Needed<typeof permissions>
  objects: Wanted<typeof votable>
  reputation: Wanted<typeof reputation>
}

export interface Tally {
  up_votes: number
  down_votes: number
  votes: number
  vote_status: string
}

/**
 * Votes on an object, or takes a vote back. The same direction again changes nothing; the other one replaces it.
 * @param how `is_cancel` takes back a vote of this direction, `toggle` too where there is one; that needs no reputation
 */
export async function castVote(
  capabilities: Capabilities,
  voter: Person,
  id: string,
  direction: Direction,
  how: { is_cancel: boolean; toggle: boolean },
): Promise<Tally> {
  const { ctx } = capabilities
  const target = await findTarget(capabilities, voter, id)
  if (target.authorId === voter.id) throw voteErrors.disallow_vote_your_self({ id })
  if (direction < 0 && !target.owner.hasDown) throw voteErrors.only_up({ id })
  const isCancel = how.is_cancel || (how.toggle && (await ballot(ctx.db.query, target, voter.id)) === direction)
  if (!isCancel) await requireRank(capabilities, voter, `${target.owner.kind}.vote_${direction > 0 ? 'up' : 'down'}`)
  return ctx.db.write(async (tx) => {
    await target.owner.hold?.(target.n)
    // Closed or deleted meanwhile, perhaps.
    if (!(await target.owner.find(target.n, voter))) throw voteErrors.not_found({ id })
    const before = await ballot(tx, target, voter.id)
    const after = isCancel ? (before === direction ? 0 : before) : direction
    if (before !== after && (await replaceBallot(tx, target, voter.id, before, after, ctx.now()))) {
      await target.owner.addVotes(target.n, after - before)
      await moveRewards(capabilities.reputation.current, target, voter.id, before, after)
      await ctx.emit(voteEvents.cast, { objectId: target.objectId, voterId: voter.id, authorId: target.authorId, direction: after })
    }
    return tally(tx, target, voter.id)
  })
}

async function requireRank({ permissions }: Capabilities, voter: Person, action: string): Promise<void> {
  const { allowed, needed, rank = 0 } = await permissions.may(voter, action)
  if (!allowed) throw voteErrors.no_enough_rank_to_operate({ action, needed, rank })
}

/** What the voter chose so far: 1, -1 or 0. */
async function ballot(tx: Kysely<Tables>, { owner, n }: Target, voterId: number): Promise<number> {
  const row = await tx
    .selectFrom('votes__ballot')
    .select('direction')
    .where('object_n', '=', n)
    .where('object_kind', '=', owner.kind)
    .where('voter_id', '=', voterId)
    .executeTakeFirst()
  return row?.direction ?? 0
}

/** @returns false when somebody else's transaction (the same person in another tab) was faster */
async function replaceBallot(
  tx: Kysely<Tables>,
  { owner, n }: Target,
  voterId: number,
  before: number,
  after: number,
  at: number,
): Promise<boolean> {
  if (before === 0) {
    const row = await tx
      .insertInto('votes__ballot')
      .values({ object_kind: owner.kind, object_n: n, voter_id: voterId, direction: after, created_at: at })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    return row !== undefined
  }
  if (after === 0) {
    const { numDeletedRows } = await tx
      .deleteFrom('votes__ballot')
      .where('object_n', '=', n)
      .where('object_kind', '=', owner.kind)
      .where('voter_id', '=', voterId)
      .where('direction', '=', before)
      .executeTakeFirst()
    return numDeletedRows > 0n
  }
  const { numUpdatedRows } = await tx
    .updateTable('votes__ballot')
    .set({ direction: after, created_at: at })
    .where('object_n', '=', n)
    .where('object_kind', '=', owner.kind)
    .where('voter_id', '=', voterId)
    .where('direction', '=', before)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

async function tally(tx: Kysely<Tables>, target: Target, voterId: number): Promise<Tally> {
  const rows = await tx
    .selectFrom('votes__ballot')
    .select((eb) => ['direction', eb.fn.countAll<number>().as('count')])
    .where('object_n', '=', target.n)
    .where('object_kind', '=', target.owner.kind)
    .groupBy('direction')
    .execute()
  const count = (direction: number) => Number(rows.find((row) => row.direction === direction)?.count ?? 0)
  const [up, down] = [count(1), count(-1)]
  return { up_votes: up, down_votes: down, votes: up - down, vote_status: statusWord(await ballot(tx, target, voterId)) }
}
