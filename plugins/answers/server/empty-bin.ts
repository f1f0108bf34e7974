import { forUpdate } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import { touched } from '../../search/shared/api.ts'
import type { Bin } from '../../site/shared/api.ts'
import { purged } from '../../site/shared/api.ts'
import type { Capabilities } from './capabilities.ts'
import type { Tables } from './tables.ts'
import { answerStatus } from './tables.ts'

/** A batch holds up everybody else for some milliseconds. */
const BATCH = 100

async function erase({ ctx, posts }: Capabilities, tx: Kysely<Tables>, rows: readonly { id: number; experience: number }[]): Promise<void> {
  const ns = rows.map(({ id }) => id)
  if (ns.length === 0) return
  for (const { id, experience } of rows) await posts.link(experience, `answer:${id}`, '')
  await tx.deleteFrom('answers__text').where('answer_id', 'in', ns).execute()
  await tx.deleteFrom('answers__answer').where('id', 'in', ns).execute()
  for (const n of ns) await ctx.emit(touched, { kind: 'answer', n })
}

/** Puts down who removed so many answers and will not get them back; in the caller's transaction. */
async function logPurge({ ctx, log }: Capabilities, count: number): Promise<void> {
  const object = { kind: 'answer', id: '', label: String(count) }
  await log.current?.record({ actorId: ctx.host.request()?.person?.id ?? 0, action: 'answer.purged', object })
}

/** Deleted answers, removed for good. What stands below them is for its owners, who are told. */
export function createBin(capabilities: Capabilities): Bin {
  const { ctx, posts } = capabilities
  const remove = (only?: readonly number[]): Promise<number[]> =>
    ctx.db.write(async (tx) => {
      const deleted = tx.selectFrom('answers__answer').select(['id', 'experience']).where('status', '=', answerStatus.deleted).orderBy('id')
      const found = await deleted
        .$if(only !== undefined, (query) => query.where('id', 'in', only ?? []))
        .limit(BATCH)
        .execute()
      if (found.length === 0) return []
      await posts.hold(...found.map(({ experience }) => experience))
      const ns = found.map(({ id }) => id)
      // Only those that nobody has brought back meanwhile.
      const rows = await deleted.where('id', 'in', ns).$call(forUpdate(ctx.db.dialect)).execute()
      await erase(capabilities, tx, rows)
      if (rows.length > 0) await logPurge(capabilities, rows.length)
      return rows.map(({ id }) => id)
    })
  return {
    type: 'answers',
    kind: 'answer',
    removeSome: () => remove(),
    remove,
  }
}

/** Answers go with their post. */
export function followPurge(capabilities: Capabilities): void {
  const { ctx } = capabilities
  ctx.on(purged, async ({ kind, ns }) => {
    if (kind !== 'experience') return
    await ctx.db.write(async (tx) => {
      const rows = await tx
        .selectFrom('answers__answer')
        .select(['id', 'experience', 'person_id', 'status', 'parent_listed'])
        .where('experience', 'in', ns)
        .orderBy('id')
        .execute()
      for (const row of rows)
        if (row.status === answerStatus.available && row.parent_listed) await capabilities.people.count(row.person_id, 'answer_count', -1)
      for (let at = 0; at < rows.length; at += BATCH) {
        const some = rows.slice(at, at + BATCH)
        await erase(capabilities, tx, some)
        await ctx.emit(purged, { kind: 'answer', ns: some.map(({ id }) => id) })
      }
    })
  })
}
