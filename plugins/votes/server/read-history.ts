import type { Page } from '@stoa/sdk'
import { read, rowsOfPage } from '@stoa/sdk'
import type { ReadContext, Static } from '@stoa/sdk/server'
import { countedPage, isShown } from '@stoa/sdk/server'
import { sql } from 'kysely'
import type { VotedObject } from '../shared/api.ts'
import { ownVotes, shownVotes } from '../shared/api.ts'
import type * as schemas from '../shared/schemas.ts'
import type { Tables } from './tables.ts'

type OwnVote = Static<typeof schemas.ownVote>
/** `kinds`: those whose votes are listed. */
type Query = Static<typeof schemas.own.query> & { kinds: string[] }

export const votesOfPerson = read<Query, Page<OwnVote>>('votes.ofPerson')

/** `personal/vote/page`: own votes on what is listed, newest first. */
export async function votesOfCaller(ctx: ReadContext<Tables>, { kinds, ...query }: Query): Promise<Page<OwnVote>> {
  if (kinds.length === 0) return { count: 0, list: [] }
  const of = { kind: sql.ref('votes__ballot.object_kind'), n: sql.ref('votes__ballot.object_n') }
  const own = ctx.db
    .selectFrom('votes__ballot')
    .where('voter_id', '=', ctx.person?.id ?? 0)
    .where('object_kind', 'in', kinds)
    .where(await isShown(ctx, shownVotes, kinds, of))
  const { size, offset } = rowsOfPage(query)
  const { rows, count } = await countedPage(
    { size, offset },
    () =>
      own
        .select(['object_kind as kind', 'object_n as n', 'direction', 'created_at'])
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(size)
        .offset(offset)
        .execute(),
    async () => Number((await own.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()).count),
  )
  const items = rows.map((row) => ({ ...row, view: null as VotedObject | null }))
  await ctx.decorate(ownVotes, items)
  const list = items.flatMap(({ kind, direction, created_at, view }): OwnVote[] => {
    const vote_type = ctx.text(direction > 0 ? 'vote_type.up' : 'vote_type.down')
    return view ? [{ created_at, object_type: kind, vote_type, ...view }] : []
  })
  return { count, list }
}
