import type { ReadContext } from '@stoa/sdk/server'
import type { Tables } from './tables.ts'
import { statusWord } from './tables.ts'

/** What the person who asks voted on these objects of one kind: number → 1 or -1. One statement; none for visitors. */
async function ownBallots(ctx: ReadContext<Tables>, kind: string, ns: number[]): Promise<Map<number, number>> {
  if (!ctx.person || ns.length === 0) return new Map()
  const rows = await ctx.db
    .selectFrom('votes__ballot')
    .select(['object_n', 'direction'])
    .where('voter_id', '=', ctx.person.id)
    .where('object_kind', '=', kind)
    .where('object_n', 'in', ns)
    .execute()
  return new Map(rows.map((row) => [row.object_n, row.direction]))
}

/** A decorator that fills `vote_status` of a kind. */
export function fillVoteStatus(kind: string) {
  return async (ctx: ReadContext<Tables>, items: { n: number; view: { vote_status: string } }[]): Promise<void> => {
    const own = await ownBallots(
      ctx,
      kind,
      items.map((item) => item.n),
    )
    for (const { n, view } of items) view.vote_status = statusWord(own.get(n) ?? 0)
  }
}

/** A decorator that fills `is_vote` of a kind that only goes up. */
export function fillIsVote(kind: string) {
  return async (ctx: ReadContext<Tables>, items: { n: number; view: { is_vote: boolean } }[]): Promise<void> => {
    const own = await ownBallots(
      ctx,
      kind,
      items.map((item) => item.n),
    )
    for (const { n, view } of items) view.is_vote = own.has(n)
  }
}

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
