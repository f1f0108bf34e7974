import type { Person } from '@stoa/sdk'
import type { Needed, ServerContext, Wanted } from '@stoa/sdk/server'
import type { reputation } from '../../accounts/shared/api.ts'
import type { permissions } from '../../site/shared/api.ts'
import type { RevisionText, revisable } from '../shared/api.ts'
import { historyErrors, historyEvents } from '../shared/api.ts'
import type { createHistory } from './keep.ts'
import { isSame, textIn } from './keep.ts'
import { merged } from './merge.ts'
import type { RevisionRow, Tables } from './tables.ts'
import { revisionColumns, revisionStatus, waitingStatus } from './tables.ts'
import { targetOf } from './targets.ts'

/** Reputation for a suggestion that was taken. Source: behaviour reference 7.1. */
const REWARD = 2

export interface Auditing {
  ctx: ServerContext<Tables>
  permissions: Needed<typeof permissions>
  owners: Wanted<typeof revisable>
  reputation: Wanted<typeof reputation>
  catchUp: ReturnType<typeof createHistory>['catchUp']
  /** Other suggestions wait than before. */
  tellWaiting(): Promise<void>
}

/**
 * Takes or rejects a suggested edit. One that was decided on already is left as it is.
 * A suggestion to a text that was changed meanwhile is taken when both changes fit together; refused, it goes on waiting.
 */
export async function audit(auditing: Auditing, reviewer: Person, id: string, operation: 'approve' | 'reject'): Promise<void> {
  const { ctx, permissions } = auditing
  const row = /^[1-9]\d{0,14}$/.test(id)
    ? await ctx.db.query.selectFrom('history__revision').select(revisionColumns).where('id', '=', Number(id)).executeTakeFirst()
    : undefined
  const verdict = row && (await permissions.may(reviewer, `${row.object_kind}.audit`))
  if (row && !verdict?.allowed) throw historyErrors.no_permission({ kind: row.object_kind }, {})
  if (!row || row.status === revisionStatus.stored) throw historyErrors.not_found({ id })
  if (row.status !== revisionStatus.waiting) return
  if (row.editor_id === reviewer.id) throw historyErrors.own_suggestion({ id })
  await (operation === 'approve' ? approve(auditing, reviewer, row) : decide(auditing, reviewer, row, { status: revisionStatus.rejected }))
}

async function approve(auditing: Auditing, reviewer: Person, row: RevisionRow): Promise<void> {
  const { ctx, owners, catchUp, reputation } = auditing
  const name = { kind: row.object_kind, n: row.object_n }
  const owner = owners.current.find(({ service }) => service.kind === name.kind)?.service
  const target = await ctx.read(targetOf, name)
  if (!owner || !target) throw historyErrors.object_gone(name)
  const { object, present } = target
  const text = await fitted(ctx, row, present.text)
  if (!text) throw historyErrors.conflict({ id: row.id })
  const edit = { n: name.n, text, version: present.version, editorId: row.editor_id, summary: row.summary }
  const store = await owner.prepare(edit, reviewer)
  await ctx.db.write(async (tx) => {
    const before = { ...name, root: object.root, origin: { personId: object.authorId, at: object.createdAt } }
    const { position } = await catchUp(tx, before, present.text)
    const isMine = await decide(auditing, reviewer, row, {
      status: revisionStatus.approved,
      position: position + 1,
      stored_at: ctx.now(),
      text: JSON.stringify(text),
    })
    if (!isMine) return
    await store()
    await ctx.emit(historyEvents.edited, { ...name, editorId: row.editor_id })
    const objectId = ctx.ids.encode(name.kind, name.n)
    await reputation.current?.change({ personId: row.editor_id, delta: REWARD, reason: 'edit.accepted', objectId, causeId: row.id })
  })
}

/** The suggestion as it fits what stands there now; undefined when it does not. */
async function fitted(ctx: ServerContext<Tables>, row: RevisionRow, present: RevisionText): Promise<RevisionText | undefined> {
  const wanted = textIn(row)
  const stored = await ctx.db.query.selectFrom('history__revision').select('text').where('id', '=', row.base_id).executeTakeFirst()
  const base = stored ? textIn(stored) : present
  return isSame(base, present) ? wanted : merged(base, present, wanted)
}

/** @returns false when somebody else was quicker */
async function decide(
  { ctx, tellWaiting }: Pick<Auditing, 'ctx' | 'tellWaiting'>,
  reviewer: Person,
  row: RevisionRow,
  values: { status: number; position?: number; stored_at?: number; text?: string },
): Promise<boolean> {
  return ctx.db.write(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('history__revision')
      .set({ ...values, reviewer_id: reviewer.id, reviewed_at: ctx.now() })
      .where('id', '=', row.id)
      .where('status', '=', waitingStatus)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await ctx.emit(historyEvents.audited, {
      kind: row.object_kind,
      n: row.object_n,
      revision: row.id,
      editorId: row.editor_id,
      reviewerId: reviewer.id,
      accepted: values.status === revisionStatus.approved,
    })
    await tellWaiting()
    return true
  })
}
