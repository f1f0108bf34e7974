import type { Person } from '@stoa/sdk'
import { fieldErrors, isStaff } from '@stoa/sdk'
import type { Ids } from '@stoa/sdk/server'
import { insertedId } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import { commentErrors, commentEvents, commentLive } from '../shared/api.ts'
import type { Capabilities } from './capabilities.ts'
import { EDIT_SECONDS } from './edit-window.ts'
import type { CommentedObject } from './find-object.ts'
import { countComments, findObject, holdObject, requireObject } from './find-object.ts'
import { asComment } from './rendered-comments.ts'
import type { CommentRow, Tables } from './tables.ts'
import { commentColumns, commentStatus } from './tables.ts'

const SHORTEST = 2

export interface NewComment {
  object_id: string
  original_text: string
  reply_comment_id?: string | undefined
}

/** Takes a comment. @returns its running number */
export async function writeComment(capabilities: Capabilities, author: Person, comment: NewComment): Promise<number> {
  const { ctx, permissions, rendering, gate } = capabilities
  checkText(comment.original_text)
  const found = await requireOpen(capabilities, comment.object_id, author)
  await permissions.require(author, 'comment.add')
  const target = comment.reply_comment_id ? await requireComment(ctx.db.query, ctx.ids, comment.reply_comment_id) : undefined
  if (target && (target.object_kind !== found.kind || target.object_n !== found.n))
    throw commentErrors.not_found({ id: comment.reply_comment_id })
  const parsed = await rendering.render(comment.original_text, asComment)
  const text = { kind: 'comment', title: '', content: comment.original_text, tags: [] }
  const verdict = await gate.current?.ask(text, author)
  const status = { publish: commentStatus.available, wait: commentStatus.pending, reject: commentStatus.deleted }[
    verdict?.outcome ?? 'publish'
  ]
  return ctx.db.write(async (tx) => {
    await holdObject(capabilities, found.kind, found.n)
    // Closed, deleted or unlisted while this was rendered, perhaps.
    const object = await requireOpen(capabilities, comment.object_id, author)
    const n = await insertedId(tx, 'comments__comment', {
      object_kind: object.kind,
      object_n: object.n,
      experience: object.experience,
      object_shown: Number(object.shown ?? true),
      person_id: author.id,
      status,
      reply_comment: target?.id ?? 0,
      reply_person: target?.person_id ?? 0,
      created_at: ctx.now(),
      original_text: comment.original_text,
      parsed_text: parsed,
    })
    if (status === commentStatus.available) {
      await announce(capabilities, {
        n,
        kind: object.kind,
        objectN: object.n,
        page: object.page,
        authorId: author.id,
        replyTo: target?.person_id ?? 0,
      })
    } else if (verdict) await gate.current?.keep({ kind: 'comment', n, authorId: author.id }, verdict)
    return n
  })
}

async function requireOpen(capabilities: Capabilities, id: string, author: Person): Promise<CommentedObject> {
  const object = await requireObject(capabilities, id, author)
  if (!object.open) throw commentErrors.closed({ id })
  return object
}

/** Counts a comment at what it stands below, and tells everybody of it. */
async function announce(
  capabilities: Capabilities,
  {
    n,
    kind,
    objectN,
    page,
    authorId,
    replyTo,
  }: { n: number; kind: string; objectN: number; page?: string | undefined; authorId: number; replyTo: number },
): Promise<void> {
  const { ctx } = capabilities
  await countComments(capabilities, kind, objectN, 1)
  const objectId = ctx.ids.encode(kind, objectN)
  await ctx.live.push(commentLive.added, page ?? objectId, { objectId, authorId: String(authorId) })
  await ctx.emit(commentEvents.created, { n, objectId, authorId, replyTo })
  await ctx.emit(commentEvents.changed, { n })
}

/** Publishes a comment that waits. @returns false when it does not */
export async function publishComment(capabilities: Capabilities, n: number): Promise<boolean> {
  const { ctx } = capabilities
  return ctx.db.write(async (tx) => {
    const waiting = await findComment(tx, n)
    if (!waiting) return false
    await holdObject(capabilities, waiting.object_kind, waiting.object_n)
    const row = await leaveWaiting(tx, n, commentStatus.available)
    if (!row) return false
    const object = await findObject(capabilities, row.object_kind, row.object_n, null)
    const { object_kind: kind, object_n: objectN, person_id: authorId, reply_person: replyTo } = row
    await announce(capabilities, { n, kind, objectN, page: object?.page, authorId, replyTo })
    return true
  })
}

/** Deletes a comment that waits. @returns false when it does not */
export async function rejectComment({ ctx }: Capabilities, n: number): Promise<boolean> {
  return ctx.db.write(async (tx) => (await leaveWaiting(tx, n, commentStatus.deleted)) !== undefined)
}

/** Gives a comment that waits another status: of two who decide at once, one finds none. */
async function leaveWaiting(tx: Kysely<Tables>, n: number, status: number): Promise<CommentRow | undefined> {
  return tx
    .updateTable('comments__comment')
    .set({ status })
    .where('id', '=', n)
    .where('status', '=', commentStatus.pending)
    .returning(commentColumns)
    .executeTakeFirst()
}

/** Changes a comment: its author for five minutes, people with `comment.edit` at any time. */
export async function editComment(capabilities: Capabilities, editor: Person, id: string, text: string) {
  const store = await prepareEdit(capabilities, editor, id, text)
  return store()
}

/** The same in two steps: checks and renders. @returns what stores it, in the caller's transaction if there is one */
export async function prepareEdit(capabilities: Capabilities, editor: Person, id: string, text: string) {
  const { ctx, permissions, rendering } = capabilities
  checkText(text)
  const row = await requireComment(ctx.db.query, ctx.ids, id)
  const object = await findObject(capabilities, row.object_kind, row.object_n, editor)
  if (!object) throw commentErrors.not_found({ id })
  if (!(await permissions.may(editor, 'comment.edit')).allowed) {
    if (row.person_id !== editor.id) await permissions.require(editor, 'comment.edit')
    if (ctx.now() - row.created_at > EDIT_SECONDS) throw commentErrors.cannot_edit_after_deadline({ id })
  }
  if (!object.open) throw commentErrors.closed({ id })
  const parsed = await rendering.render(text, asComment)
  const verdict = await capabilities.gate.current?.ask({ kind: 'comment', n: row.id, title: '', content: text, tags: [] }, editor)
  if (verdict && verdict.outcome !== 'publish') capabilities.gate.current?.refuse(verdict)
  return async () => {
    await ctx.db.write(async (tx) => {
      await tx
        .updateTable('comments__comment')
        .set({ original_text: text, parsed_text: parsed, updated_at: ctx.now() })
        .where('id', '=', row.id)
        .execute()
      await ctx.emit(commentEvents.changed, { n: row.id })
    })
    return { comment_id: ctx.ids.encode('comment', row.id), original_text: text, parsed_text: parsed }
  }
}

/** Deletes a comment: its author, and people with `comment.delete`. */
export async function deleteComment(capabilities: Capabilities, person: Person, id: string): Promise<void> {
  const { ctx, permissions } = capabilities
  const row = await requireComment(ctx.db.query, ctx.ids, id, person)
  if (row.person_id !== person.id) await permissions.require(person, 'comment.delete')
  await removeComment(capabilities, row)
}

/** Takes a comment away and tells its object; in the caller's transaction when there is one. */
export async function removeComment(capabilities: Capabilities, row: CommentRow): Promise<void> {
  const { ctx } = capabilities
  await ctx.db.write(async (tx) => {
    await holdObject(capabilities, row.object_kind, row.object_n)
    const status = (await findComment(tx, row.id))?.status ?? commentStatus.deleted
    const { numUpdatedRows } = await tx
      .updateTable('comments__comment')
      .set({ status: commentStatus.deleted })
      .where('id', '=', row.id)
      .where('status', '!=', commentStatus.deleted)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
    if (status === commentStatus.available) await countComments(capabilities, row.object_kind, row.object_n, -1)
    await ctx.emit(commentEvents.deleted, { n: row.id })
    await ctx.emit(commentEvents.changed, { n: row.id })
  })
}

/** A comment that is not deleted. */
function findComment(db: Kysely<Tables>, n: number): Promise<CommentRow | undefined> {
  return db
    .selectFrom('comments__comment')
    .select(commentColumns)
    .where('id', '=', n)
    .where('status', '!=', commentStatus.deleted)
    .executeTakeFirst()
}

/** @throws `error.comment.not_found` for an id that is none or a comment that is gone. @param person also finds what waits and is theirs, or anybody's for staff */
export async function requireComment(db: Kysely<Tables>, ids: Ids, id: string, person?: Person): Promise<CommentRow> {
  const decoded = ids.decode(id)
  const row = decoded?.kind === 'comment' ? await findComment(db, decoded.n) : undefined
  const isSeen = row?.status === commentStatus.available || (person && (isStaff(person) || row?.person_id === person.id))
  if (!row || !isSeen) throw commentErrors.not_found({ id })
  return row
}

function checkText(text: string): void {
  if ([...text.trim()].length < SHORTEST)
    throw fieldErrors({ original_text: text.trim() === '' ? 'validation.required' : 'validation.min_length' }, { limit: SHORTEST })
}
