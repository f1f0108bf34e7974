import type { Kysely } from 'kysely'
import type { Frequency, NoticeKind } from '../shared/api.ts'
import { frequencies } from '../shared/api.ts'
import type { Tables } from './tables.ts'

const isFrequency = (word: string): word is Frequency => (frequencies as readonly string[]).includes(word)

/** What holds for a kind where nothing was chosen. What has no name in the settings goes through no channel. */
export const usualOf = (kind: NoticeKind): Frequency => (kind.label === undefined ? 'off' : (kind.usual ?? 'off'))

/** How soon channels bring a kind to people: `frequencyOf(personId, channel)`. One statement. */
export async function frequenciesOf(
  db: Kysely<Tables>,
  kind: NoticeKind,
  personIds: readonly number[],
): Promise<(personId: number, channel: string) => Frequency> {
  if (kind.label === undefined || personIds.length === 0) return () => 'off'
  const rows = await db
    .selectFrom('notifications__setting')
    .select(['person_id', 'channel', 'frequency'])
    .where('person_id', 'in', [...personIds])
    .where('kind', '=', kind.name)
    .execute()
  const chosen = new Map(rows.map((row) => [`${row.person_id} ${row.channel}`, row.frequency]))
  return (personId, channel) => {
    const found = chosen.get(`${personId} ${channel}`)
    return found !== undefined && isFrequency(found) ? found : usualOf(kind)
  }
}

/** What one person chose, by kind and channel; a kind that is missing is as usual. */
export async function choicesOf(db: Kysely<Tables>, personId: number): Promise<Map<string, Frequency>> {
  const rows = await db
    .selectFrom('notifications__setting')
    .select(['kind', 'channel', 'frequency'])
    .where('person_id', '=', personId)
    .execute()
  return new Map(
    rows.flatMap(({ kind, channel, frequency }) => (isFrequency(frequency) ? [[`${kind} ${channel}`, frequency] as const] : [])),
  )
}

export interface Choice {
  kind: string
  channel: string
  frequency: Frequency
}

/** Stores choices, in the caller's transaction. */
export async function choose(tx: Kysely<Tables>, personId: number, choices: readonly Choice[]): Promise<void> {
  for (const { kind, channel, frequency } of choices)
    await tx
      .insertInto('notifications__setting')
      .values({ person_id: personId, kind, channel, frequency })
      .onConflict((conflict) => conflict.columns(['person_id', 'kind', 'channel']).doUpdateSet({ frequency }))
      .execute()
}
