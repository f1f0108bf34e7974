import type { ReadContext, ServerContext } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import { writeInPortions } from './portions.ts'
import type { PostRow } from './rows.ts'
import type { Tables } from './tables.ts'

/** Posts of which a person is remembered to have opened them: those opened last. */
export const MOST_OPENED = 1000
/** Rows of one statement, with three values each. */
const BATCH = 300
/** People of one transaction, 0.15 ms each on SQLite. */
const PORTION = 25

/** Remembers which posts members opened. Notes are collected in memory and written in batches. */
export function createOpened(ctx: ServerContext<Tables>, most = MOST_OPENED) {
  /** By person, then by post. */
  const waiting = new Map<number, Map<number, number>>()

  async function write(portion: [personId: number, posts: Map<number, number>][]): Promise<void> {
    // In one order: two nodes at once do not wait for each other.
    const rows = portion
      .flatMap(([person_id, posts]) => [...posts].map(([post_id, at]) => ({ person_id, post_id, at })))
      .sort((a, b) => a.person_id - b.person_id || a.post_id - b.post_id)
    const store = async (tx: Kysely<Tables>) => {
      for (let start = 0; start < rows.length; start += BATCH)
        await tx
          .insertInto('experiences__opened')
          .values(rows.slice(start, start + BATCH))
          .onConflict((conflict) => conflict.columns(['person_id', 'post_id']).doUpdateSet((eb) => ({ at: eb.ref('excluded.at') })))
          .execute()
      for (const [person] of portion)
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
    }
    // Lists look it up for who asks.
    await ctx.db.write(store, { shown: false })
  }

  return {
    note(personId: number, n: number): void {
      const posts = waiting.get(personId) ?? new Map<number, number>()
      waiting.set(personId, posts.set(n, ctx.now()))
    },
    /** @param isHurried see {@link writeInPortions} */
    flush: (isHurried: () => boolean = () => true) => writeInPortions(waiting, write, PORTION, isHurried),
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
