import type { ReadContext } from '@stoa/sdk/server'
import { roles } from '@stoa/sdk/server'
import { sql } from 'kysely'
import type { SettingsGroups } from '../../site/shared/api.ts'
import { votesCast } from '../shared/api.ts'
import { avatarUrl } from './cards.ts'
import type { Ranking, RankingEntry } from './read-tokens.ts'
import type { AccountTables, CardRow } from './tables.ts'
import { cardColumns, ledgerOnly } from './tables.ts'

const DAYS_7 = 7 * 86_400
const LIMIT = 20

/** The last seven days: who earned most reputation, who voted most; and the staff. */
export async function readRanking(ctx: ReadContext<AccountTables>, settings: SettingsGroups['users']): Promise<Ranking> {
  const since = ctx.now - DAYS_7
  const sum = sql<number>`sum(delta)`
  const earned = await ctx.db
    .selectFrom('accounts__reputation')
    .select(['person_id', sum.as('sum')])
    .where('created_at', '>=', since)
    .where('is_cancelled', '=', 0)
    .where('delta', '>', 0)
    .where('reason', 'not in', Object.values(ledgerOnly))
    .groupBy('person_id')
    .orderBy(sum, 'desc')
    .orderBy('person_id')
    .limit(LIMIT)
    .execute()
  const voted = await ctx.read(votesCast, { since, limit: LIMIT }, { otherwise: [] })
  const ids = [...earned.map((row) => row.person_id), ...voted.map((row) => row.personId)]

  const active = ctx.db.selectFrom('accounts__profile').select(cardColumns).where('state', '=', 'normal')
  const people = ids.length > 0 ? await active.where('id', 'in', ids).execute() : []
  const byId = new Map(people.map((row) => [row.id, row]))
  const staff = await active.where('role', 'in', [roles.admin, roles.moderator]).orderBy('id').limit(100).execute()

  const entry = (row: CardRow, rank: number, votes: number): RankingEntry => ({
    username: row.username,
    rank,
    vote_count: votes,
    display_name: row.display_name,
    avatar: avatarUrl(row, settings),
  })
  const listed = <T>(rows: T[], idOf: (row: T) => number, view: (row: T, person: CardRow) => RankingEntry) =>
    rows.flatMap((row) => {
      const person = byId.get(idOf(row))
      return person ? [view(row, person)] : []
    })
  return {
    users_with_the_most_reputation: listed(
      earned,
      (row) => row.person_id,
      (row, person) => entry(person, Number(row.sum), 0),
    ),
    users_with_the_most_vote: listed(
      voted,
      (row) => row.personId,
      (row, person) => entry(person, 0, row.votes),
    ),
    staffs: staff.map((row) => entry(row, row.rank, 0)),
  }
}
