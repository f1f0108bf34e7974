import type { Person } from '@stoa/sdk'
import { fieldErrors } from '@stoa/sdk'
import type { Ids } from '@stoa/sdk/server'
import { insertedId } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import { commentErrors, commentEvents, commentLive } from '../shared/api.ts'
import type { Capabilities } from './capabilities.ts'
import { EDIT_SECONDS } from './edit-window.ts'
import { countComments, findObject, requireObject } from './find-object.ts'
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
  const { ctx, permissions, rendering } = capabilities
  checkText(comment.original_text)
  const object = await requireObject(capabilities, comment.object_id, author)
  if (!object.open) throw commentErrors.closed({ id: comment.object_id })
  await permissions.require(author, 'comment.add')
  const target = comment.reply_comment_id ? await requireComment(ctx.db.query, ctx.ids, comment.reply_comment_id) : undefined
  if (target && (target.object_kind !== object.kind || target.object_n !== object.n))
    throw commentErrors.not_found({ id: comment.reply_comment_id })
  const parsed = await rendering.render(comment.original_text, asComment)
  return ctx.db.write(async (tx) => {
    const n = await insertedId(tx, 'comments__comment', {
      object_kind: object.kind,
      object_n: object.n,
      experience: object.experience,
      object_shown: Number(object.shown ?? true),
      person_id: author.id,
      reply_comment: target?.id ?? 0,
      reply_person: target?.person_id ?? 0,
      created_at: ctx.now(),
      original_text: comment.original_text,
      parsed_text: parsed,
    })
    await countComments(capabilities, object.kind, object.n, 1)
    const objectId = ctx.ids.encode(object.kind, object.n)
    await ctx.live.push(commentLive.added, object.page ?? objectId, { objectId, authorId: String(author.id) })
    await ctx.emit(commentEvents.created, {
      n,
      objectId,
      authorId: author.id,
      replyTo: target?.person_id ?? 0,
    })
    await ctx.emit(commentEvents.changed, { n })
    return n
  })
}

/** Changes a comment: its author for five minutes, people with `comment.edit` at any time. */
export async function editComment(capabilities: Capabilities, editor: Person, id: string, text: string) {
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

/** Deletes a comment: its author, and people with `comment.delete`. */
export async function deleteComment(capabilities: Capabilities, person: Person, id: string): Promise<void> {
  const { ctx, permissions } = capabilities
  const row = await requireComment(ctx.db.query, ctx.ids, id)
  if (row.person_id !== person.id) await permissions.require(person, 'comment.delete')
  await removeComment(capabilities, row)
}

/** Takes a comment away and tells its object; in the caller's transaction when there is one. */
export async function removeComment(capabilities: Capabilities, row: CommentRow): Promise<void> {
  const { ctx } = capabilities
  await ctx.db.write(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('comments__comment')
      .set({ status: commentStatus.deleted })
      .where('id', '=', row.id)
      .where('status', '!=', commentStatus.deleted)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
    await countComments(capabilities, row.object_kind, row.object_n, -1)
    await ctx.emit(commentEvents.changed, { n: row.id })
  })
}

/** @throws `error.comment.not_found` for an id that is none or a comment that is gone */
export async function requireComment(db: Kysely<Tables>, ids: Ids, id: string): Promise<CommentRow> {
  const decoded = ids.decode(id)
  const row =
    decoded?.kind === 'comment'
      ? await db
          .selectFrom('comments__comment')
          .select(commentColumns)
          .where('id', '=', decoded.n)
          .where('status', '=', commentStatus.available)
          .executeTakeFirst()
      : undefined
  if (!row) throw commentErrors.not_found({ id })
  return row
}

function checkText(text: string): void {
  if ([...text.trim()].length < SHORTEST)
    throw fieldErrors({ original_text: text.trim() === '' ? 'validation.required' : 'validation.min_length' }, { limit: SHORTEST })
}
