import type { ReadContext, ServerContext } from '@stoa/sdk/server'
import type { PostRow } from './rows.ts'
import type { Tables } from './tables.ts'

/** Posts of which a person is remembered to have opened them: those opened last. */
export const MOST_OPENED = 1000
/** Rows of one statement, with three values each. */
const BATCH = 300

/** Remembers which posts members opened. Notes are collected in memory and written in batches. */
export function createOpened(ctx: ServerContext<Tables>, most = MOST_OPENED) {
  let waiting = new Map<string, { person_id: number; post_id: number; at: number }>()

  return {
    note(personId: number, n: number): void {
      waiting.set(`${personId} ${n}`, { person_id: personId, post_id: n, at: ctx.now() })
    },
    async flush(): Promise<void> {
      if (waiting.size === 0) return
      // In one order: two nodes at once do not wait for each other.
      const rows = [...waiting.values()].sort((a, b) => a.person_id - b.person_id || a.post_id - b.post_id)
      waiting = new Map()
      await ctx.db.write(async (tx) => {
        for (let start = 0; start < rows.length; start += BATCH)
          await tx
            .insertInto('experiences__opened')
            .values(rows.slice(start, start + BATCH))
            .onConflict((conflict) => conflict.columns(['person_id', 'post_id']).doUpdateSet((eb) => ({ at: eb.ref('excluded.at') })))
            .execute()
        for (const person of new Set(rows.map((row) => row.person_id)))
          await tx
            .deleteFrom('experiences__opened')
            .where('person_id', '=', person)
            .where('at', '<', (eb) =>
              eb
                .selectFrom('experiences__opened as kept')
                .select('kept.at')
                .where('kept.person_id', '=', person)
                .orderBy('kept.at', 'desc')
                .limit(1)
                .offset(most - 1),
            )
            .execute()
      })
    },
  }
}

/** Which of these posts the person who asks has opened, and whether somebody else has answered since. One statement; none for visitors. */
export async function readStates(ctx: ReadContext, rows: readonly PostRow[]): Promise<Map<number, 'read' | 'answered_since'>> {
  const { person } = ctx
  if (!person) return new Map()
  const opened = await (ctx as ReadContext<Tables>).db
    .selectFrom('experiences__opened')
    .select(['post_id', 'at'])
    .where('person_id', '=', person.id)
    .where(
      'post_id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute()
  const at = new Map(opened.map((row) => [row.post_id, Number(row.at)]))
  const stateOf = (row: PostRow, openedAt: number) =>
    row.answered_at > openedAt && row.answerer_id !== person.id ? 'answered_since' : 'read'
  return new Map(
    rows.flatMap((row) => {
      const openedAt = at.get(row.id)
      // A number that was somebody's before is another post's now.
      return openedAt === undefined || openedAt < row.created_at ? [] : [[row.id, stateOf(row, openedAt)] as const]
    }),
  )
}
