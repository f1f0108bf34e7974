import type { ReadContext } from '@stoa/sdk/server'
import { decorating, defineReads, knownRows, reading, statement } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import { actorNamed, actors } from '../../audit/shared/api.ts'
import type { SettingsGroups } from '../../site/shared/api.ts'
import { siteGroup, standingOf } from '../../site/shared/api.ts'
import type { PersonCard } from '../shared/api.ts'
import { peopleNamed, peopleWithBio, personByUsername, personCards, rankOf } from '../shared/api.ts'
import { readAdminPeople } from './admin-people.ts'
import { cardOf } from './cards.ts'
import { readDirectory } from './directory.ts'
import { personNamed } from './names.ts'
import { readPublicProfile } from './public-profile.ts'
import { readRanking } from './ranking.ts'
import { readDifferences, readReputation } from './read-reputation.ts'
import { adminPeople, directory, publicProfile, ranking, reputationDifferences, reputationPage, staffSearch } from './read-tokens.ts'
import { readPeopleSearch, readStaff } from './search-people.ts'
import type { AccountTables, CardRow } from './tables.ts'
import { cardColumns } from './tables.ts'

type Context = ReadContext<AccountTables>

/** The settings that decide on default avatars. */
const avatarSettings = async (ctx: Context) => (await ctx.call(siteGroup, { group: 'users' })) as SettingsGroups['users']

const cardRows = statement((db: Kysely<AccountTables>, { ids }: { ids: readonly number[] }) =>
  db.selectFrom('accounts__profile').select(cardColumns).where('id', 'in', ids),
)

async function readRank(ctx: Context, { id }: { id: number }): Promise<number> {
  const row = await ctx.db.selectFrom('accounts__profile').select('rank').where('id', '=', id).executeTakeFirst()
  return row?.rank ?? 0
}

async function readWithBio(ctx: Context, asked: { ids: number[] } | { after: number; limit: number }) {
  const people = ctx.db.selectFrom('accounts__profile').select(['id', 'bio'])
  const rows = await ('ids' in asked
    ? people.where('id', 'in', asked.ids)
    : people.where('id', '>', asked.after).orderBy('id').limit(asked.limit)
  ).execute()
  const isLast = 'ids' in asked || rows.length < asked.limit
  return { ids: rows.filter((row) => row.bio.trim() !== '').map((row) => row.id), next: isLast ? null : (rows.at(-1)?.id ?? null) }
}

const cards = new WeakMap<CardRow, { card: PersonCard; settings: object }>()

/** The same card for the same row, for as long as the settings are the same. */
function keptCard(row: CardRow, settings: SettingsGroups['users']): PersonCard {
  const known = cards.get(row)
  if (known?.settings === settings) return known.card
  const card = Object.freeze(cardOf(row, settings))
  cards.set(row, { card, settings })
  return card
}

export default defineReads({
  functions: [
    reading(personCards, async (ctx: Context, { ids }) => {
      const settings = await avatarSettings(ctx)
      const find = async (missing: number[]) => (await cardRows(ctx.db, { ids: missing })).map((row) => [row.id, row] as const)
      const rows = await knownRows(ctx, 'accounts.cards', ids, find, { table: 'accounts__profile', columns: cardColumns })
      return Object.fromEntries([...rows].map(([id, row]) => [id, keptCard(row, settings)])) as Record<number, PersonCard>
    }),
    reading(personByUsername, async (ctx: Context, { username }) => {
      const row = await ctx.db
        .selectFrom('accounts__profile')
        .select(cardColumns)
        .where('id', '=', personNamed(ctx.db, username))
        .executeTakeFirst()
      return row ? { id: row.id, card: cardOf(row, await avatarSettings(ctx)) } : null
    }),
    reading(reputationPage, readReputation),
    reading(reputationDifferences, readDifferences),
    reading(rankOf, readRank),
    reading(peopleWithBio, readWithBio),
    reading(standingOf, readRank),
    reading(actorNamed, async (ctx: Context, { username }) => {
      const row = await ctx.db
        .selectFrom('accounts__profile')
        .select('id')
        .where('id', '=', personNamed(ctx.db, username))
        .executeTakeFirst()
      return row?.id ?? null
    }),
    reading(publicProfile, async (ctx: Context, params) => readPublicProfile(ctx, params, await avatarSettings(ctx))),
    reading(ranking, async (ctx: Context) => readRanking(ctx, await avatarSettings(ctx))),
    reading(directory, async (ctx: Context, params) => readDirectory(ctx, params, await avatarSettings(ctx))),
    reading(peopleNamed, async (ctx: Context, params) => readPeopleSearch(ctx, params, await avatarSettings(ctx))),
    reading(staffSearch, async (ctx: Context, params) => readStaff(ctx, params, await avatarSettings(ctx))),
    reading(adminPeople, async (ctx: Context, params) => readAdminPeople(ctx, params, await avatarSettings(ctx))),
  ],
  decorators: [
    decorating(actors, async (ctx: Context, items) => {
      const ids = items.map(({ n }) => n)
      const rows = ids.length > 0 ? await cardRows(ctx.db, { ids }) : []
      const settings = await avatarSettings(ctx)
      const cards = new Map(rows.map((row) => [row.id, cardOf(row, settings)]))
      for (const { n, view } of items) {
        const card = cards.get(n)
        if (!card) continue
        const { username, display_name, avatar, status } = card
        Object.assign(view, { username: status === 'deleted' ? '' : username, display_name, avatar })
      }
    }),
  ],
})
