import type { Person } from '@stoa/sdk'
import { fieldErrors } from '@stoa/sdk'
import type { ServerContext, Static, Wanted } from '@stoa/sdk/server'
import type { staffLog } from '../../audit/shared/api.ts'
import type { moderated } from '../../site/shared/api.ts'
import type { reviewers, Verdict } from '../shared/api.ts'
import { reviewErrors, reviewEvents } from '../shared/api.ts'
import type * as schemas from '../shared/schemas.ts'
import type { ItemRow, Tables } from './tables.ts'
import { itemColumns, itemStatus } from './tables.ts'

export interface Deciding {
  ctx: ServerContext<Tables>
  owners: Wanted<typeof moderated>
  reviewers: Wanted<typeof reviewers>
  log: Wanted<typeof staffLog>
  changed(): Promise<void>
}

interface Decision {
  id: number
  isApproved: boolean
  note: string
  closing?: { type: number; message: string }
}

/** Reads either body of the protocol. @throws a form error that names the members of the first one */
export function decisionOf(body: Static<typeof schemas.decide.body>): Decision {
  const { review_id, status, note = '', flag_id, operation_type, close_type, close_msg = '' } = body
  if (review_id === undefined && status === undefined && (flag_id !== undefined || operation_type !== undefined)) {
    if (operation_type !== 'close_post') throw fieldErrors({ operation_type: operation_type ? 'validation.enum' : 'validation.required' })
    if (!flag_id) throw fieldErrors({ flag_id: 'validation.required' })
    if (close_type === undefined) throw fieldErrors({ close_type: 'validation.required' })
    // Published and closed in one: the number is that of the queue.
    return { id: numberIn(flag_id), isApproved: true, note: '', closing: { type: close_type, message: close_msg } }
  }
  const problems: Record<string, string> = {}
  if (review_id === undefined) problems.review_id = 'validation.required'
  if (status === undefined) problems.status = 'validation.required'
  else if (status !== 'approve' && status !== 'reject') problems.status = 'validation.enum'
  if (Object.keys(problems).length > 0) throw fieldErrors(problems)
  return { id: numberIn(review_id), isApproved: status === 'approve', note: note.trim() }
}

/** 0 for what is no number of a row. */
const numberIn = (text: unknown): number => (/^[1-9]\d{0,14}$/.test(String(text)) ? Number(text) : 0)

/** Publishes what waits, or deletes it. What was decided already stays as it is. */
export async function decide(deciding: Deciding, person: Person, { id, isApproved, note, closing }: Decision): Promise<void> {
  const { ctx, owners } = deciding
  const row = id > 0 ? await ctx.db.query.selectFrom('review__item').select(itemColumns).where('id', '=', id).executeTakeFirst() : undefined
  const owner = row && owners.current.find(({ service }) => service.kind === row.object_kind)?.service
  if (!row || !owner) throw reviewErrors.object_not_found({ id })
  if (row.status !== itemStatus.waiting) return
  const { object_kind: kind, object_n: n } = row
  if (closing && !owner.close) throw fieldErrors({ operation_type: 'validation.enum' })
  const object = await owner.find(n, person)
  await ctx.db.write(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('review__item')
      .set({
        status: isApproved ? itemStatus.approved : itemStatus.rejected,
        decided_by: person.id,
        decided_at: ctx.now(),
        note,
      })
      .where('id', '=', row.id)
      .where('status', '=', itemStatus.waiting)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
    await (isApproved ? owner.publish(n) : owner.reject(n))
    if (closing) await owner.close?.(n, person, closing)
    await ctx.emit(reviewEvents.decided, { kind, n, item: row.id, authorId: row.author_id, isApproved, note })
    await deciding.log.current?.record({
      actorId: person.id,
      action: isApproved ? 'review.approved' : 'review.rejected',
      object: { kind, id: ctx.ids.encode(kind, n), label: object?.title ?? '' },
      ...(note && { note }),
    })
    await deciding.changed()
  })
}

/** Tells reviewers what became of what they did not let pass. */
export async function tellReviewers({ ctx, reviewers }: Deciding, item: number, isApproved: boolean): Promise<void> {
  const row: ItemRow | undefined = await ctx.db.query
    .selectFrom('review__item')
    .select(itemColumns)
    .where('id', '=', item)
    .executeTakeFirst()
  if (!row) return
  const by = (JSON.parse(row.reasons) as Verdict['reasons']).map((reason) => reason.by)
  for (const { service } of reviewers.current.filter(({ service }) => by.includes(service.id)))
    await service.decided?.({ kind: row.object_kind, n: row.object_n }, isApproved)
}

/** What waits is gone: nobody has to decide any more. */
export async function settle({ ctx, changed }: Pick<Deciding, 'ctx' | 'changed'>, { kind, n }: { kind: string; n: number }): Promise<void> {
  await ctx.db.write(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('review__item')
      .set({ status: itemStatus.rejected, decided_at: ctx.now() })
      .where('object_kind', '=', kind)
      .where('object_n', '=', n)
      .where('status', '=', itemStatus.waiting)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) await changed()
  })
}
