import { job } from '@stoa/sdk'
import type { Capabilities } from './capabilities.ts'

const correctCounts = job<Record<string, never>>('answers.correctCounts')
const BATCH = 100

/** Takes off profiles what a migration found them to count too many; in short steps, and after a restart it goes on. */
export async function correctCountsOnce({ ctx, people }: Pick<Capabilities, 'ctx' | 'people'>): Promise<void> {
  ctx.jobs.handle(correctCounts, async () => {
    while (!ctx.plugin.signal.aborted) {
      const done = await ctx.db.write(async (tx) => {
        const some = tx.selectFrom('answers__overcount').select('person_id').orderBy('person_id').limit(BATCH)
        const rows = await tx.deleteFrom('answers__overcount').where('person_id', 'in', some).returningAll().execute()
        for (const { person_id, answers } of rows) await people.count(person_id, 'answer_count', -answers)
        return rows.length
      })
      if (done === 0) return
    }
  })
  const left = await ctx.db.query.selectFrom('answers__overcount').select('person_id').limit(1).execute()
  if (left.length > 0) await ctx.jobs.enqueue(correctCounts, {}, { key: correctCounts.id })
}
