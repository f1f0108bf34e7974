import type { Decorated } from '@stoa/sdk'
import type { ReadContext } from '@stoa/sdk/server'
import type { ObjectName, TimelineLine } from '../../history/shared/api.ts'
import type { Tables } from './tables.ts'
import { statusWord } from './tables.ts'

/** Hands each item what the person who asks voted on it: 1, -1, or 0 for nothing. One statement per kind; none for visitors. */
async function withOwnBallots<I extends Decorated<unknown>>(
  ctx: ReadContext<Tables>,
  items: I[],
  fill: (item: I, direction: number) => void,
): Promise<void> {
  for (const [kind, ofKind] of Map.groupBy(items, (item) => item.kind)) {
    const own = await ownBallots(
      ctx,
      kind,
      ofKind.map(({ n }) => n),
    )
    for (const item of ofKind) fill(item, own.get(item.n) ?? 0)
  }
}

async function ownBallots(ctx: ReadContext<Tables>, kind: string, ns: number[]): Promise<Map<number, number>> {
  if (!ctx.person) return new Map()
  const rows = await ctx.db
    .selectFrom('votes__ballot')
    .select(['object_n', 'direction'])
    .where('voter_id', '=', ctx.person.id)
    .where('object_kind', '=', kind)
    .where('object_n', 'in', ns)
    .execute()
  return new Map(rows.map((row) => [row.object_n, row.direction]))
}

/** Fills `vote_status`. */
export const fillVoteStatus = (ctx: ReadContext<Tables>, items: Decorated<{ vote_status: string }>[]): Promise<void> =>
  withOwnBallots(ctx, items, ({ view }, direction) => {
    view.vote_status = statusWord(direction)
  })

/** Fills `is_vote`. */
export const fillIsVote = (ctx: ReadContext<Tables>, items: Decorated<{ is_vote: boolean }>[]): Promise<void> =>
  withOwnBallots(ctx, items, ({ view }, direction) => {
    view.is_vote = direction !== 0
  })

/** People by number of votes cast since a moment, most first. */
export async function busiestVoters(
  ctx: ReadContext<Tables>,
  { since, limit }: { since: number; limit: number },
): Promise<{ personId: number; votes: number }[]> {
  const rows = await ctx.db
    .selectFrom('votes__ballot')
    .select((eb) => ['voter_id as personId', eb.fn.countAll<number>().as('votes')])
    .where('created_at', '>=', since)
    .groupBy('voter_id')
    .orderBy('votes', 'desc')
    .orderBy('voter_id')
    .limit(limit)
    .execute()
  return rows.map(({ personId, votes }) => ({ personId, votes: Number(votes) }))
}

/** Votes in the timeline of what they were cast on, where they are asked for. */
export async function fillVoteLines(
  ctx: ReadContext<Tables>,
  items: (ObjectName & { votes: boolean; limit: number; lines: TimelineLine[] })[],
): Promise<void> {
  for (const { kind, n, limit, lines } of items.filter(({ votes }) => votes)) {
    const rows = await ctx.db
      .selectFrom('votes__ballot')
      .select(['id', 'voter_id', 'direction', 'created_at'])
      .where('object_n', '=', n)
      .where('object_kind', '=', kind)
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
    lines.push(
      ...rows.map((row) => ({
        kind,
        n,
        type: row.direction > 0 ? ('upvote' as const) : ('downvote' as const),
        id: row.id,
        at: row.created_at,
        personId: row.voter_id,
        comment: '',
      })),
    )
  }
}

/** How often objects of a kind were voted up. */
export async function countUpvotes(
  ctx: ReadContext<Tables>,
  asked: { kind: string } & ({ ns: number[] } | { after: number; limit: number }),
): Promise<{ n: number; count: number }[]> {
  const counted = ctx.db
    .selectFrom('votes__ballot')
    .select((eb) => ['object_n as n', eb.fn.countAll<number>().as('count')])
    .where('object_kind', '=', asked.kind)
    .where('direction', '=', 1)
    .groupBy('object_n')
  const rows = await ('ns' in asked
    ? counted.where('object_n', 'in', asked.ns)
    : counted.where('object_n', '>', asked.after).orderBy('object_n').limit(asked.limit)
  ).execute()
  return rows.map(({ n, count }) => ({ n, count: Number(count) }))
}

/** Who has voted something up. */
export async function findUpvoters(ctx: ReadContext<Tables>, { after, limit }: { after: number; limit: number }): Promise<number[]> {
  const rows = await ctx.db
    .selectFrom('votes__ballot')
    .select('voter_id')
    .distinct()
    .where('voter_id', '>', after)
    .where('direction', '=', 1)
    .orderBy('voter_id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.voter_id)
}
