import type { Person } from '@stoa/sdk'
import type { Moderated, ModeratedObject } from '../../site/shared/api.ts'
import type { Operation } from '../shared/api.ts'
import { reportErrors, reportEvents } from '../shared/api.ts'
import type { Act } from './act.ts'
import type { Capabilities } from './capabilities.ts'
import { ownerOf } from './capabilities.ts'
import { reportColumns, reportStatus } from './tables.ts'

const CLOSED = 2
const DELETED = 10
const UNLISTED = 2

/** What can be done to an object as it is now. */
export function operationsFor(owner: Moderated, object: ModeratedObject): Operation[] {
  if (object.status === DELETED) return ['ignore_report']
  return [
    'edit_post',
    ...(owner.close && object.status !== CLOSED ? (['close_post'] as const) : []),
    ...(owner.unlist && object.show !== UNLISTED ? (['unlist_post'] as const) : []),
    'delete_post',
    'ignore_report',
  ]
}

/**
 * Does what was decided about a flag, as that person, and settles all open flags of the object. One that is settled stays as it is.
 * @throws what the act itself is refused with; then the flags stay open
 */
export async function handle(capabilities: Capabilities, person: Person, act: Act): Promise<void> {
  const { ctx, desk, log } = capabilities
  const name = ctx.ids.decode(act.flagId)
  const row =
    name?.kind === 'report'
      ? await ctx.db.query.selectFrom('reports__report').select(reportColumns).where('id', '=', name.n).executeTakeFirst()
      : undefined
  if (!row) throw reportErrors.not_found({ id: act.flagId })
  if (row.status !== reportStatus.open) return
  const { object_kind: kind, object_n: n } = row
  const doing = await prepare(capabilities, person, { kind, n }, act)
  const object = await ownerOf(capabilities, kind)?.find(n, person)
  await ctx.db.write(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('reports__report')
      .set({
        status: act.operation === 'ignore_report' ? reportStatus.ignored : reportStatus.completed,
        handled_by: person.id,
        handled_at: ctx.now(),
        flagged_type: act.flagged.type,
        flagged_content: act.flagged.content,
      })
      .where('object_kind', '=', kind)
      .where('object_n', '=', n)
      .where('status', '=', reportStatus.open)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
    await doing()
    await ctx.emit(reportEvents.handled, { kind, n, handlerId: person.id, operation: act.operation })
    await log.current?.record({
      actorId: person.id,
      action: 'reports.handled',
      object: { kind, id: ctx.ids.encode(kind, n), label: object?.title ?? '' },
      ...(act.flagged.content && { note: act.flagged.content }),
      changes: [{ field: 'reports.audit.decision', from: null, to: { text: `reports.audit.${act.operation}` } }],
    })
    await desk.current?.changed()
  })
}

/** Checks what can be checked before the transaction. @returns what does it; what is so already is not done again */
async function prepare(
  capabilities: Capabilities,
  person: Person,
  { kind, n }: { kind: string; n: number },
  { operation, closing, text }: Act,
): Promise<() => Promise<void>> {
  const nothing = async () => {}
  if (operation === 'ignore_report' || operation === 'none') return nothing
  const owner = ownerOf(capabilities, kind)
  const object = await owner?.find(n, person)
  if (!owner || !object) throw reportErrors.object_not_found({ id: capabilities.ctx.ids.encode(kind, n) })
  const { close, unlist } = owner
  if (operation === 'edit_post') return owner.edit(n, person, text ?? { title: '', content: '', tags: null })
  if (operation === 'delete_post') return object.status === DELETED ? nothing : () => owner.remove(n, person)
  if (operation === 'unlist_post' && unlist) return object.show === UNLISTED ? nothing : () => unlist(n, person)
  if (operation === 'close_post' && close && closing) return object.status === CLOSED ? nothing : () => close(n, person, closing)
  throw reportErrors.not_possible({ operation, kind })
}

/** Settles the flags of what is gone, without anybody's decision. */
export async function settle({ ctx, desk }: Pick<Capabilities, 'ctx' | 'desk'>, { kind, n }: { kind: string; n: number }): Promise<void> {
  await ctx.db.write(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('reports__report')
      .set({ status: reportStatus.completed, handled_at: ctx.now() })
      .where('object_kind', '=', kind)
      .where('object_n', '=', n)
      .where('status', '=', reportStatus.open)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) await desk.current?.changed()
  })
}
