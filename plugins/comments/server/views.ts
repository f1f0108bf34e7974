import type { Decorated } from '@stoa/sdk'
import type { ReadContext } from '@stoa/sdk/server'
import { nobody, personCards } from '../../accounts/shared/api.ts'
import { permissionVerdicts, publicIds } from '../../site/shared/api.ts'
import { liked } from '../../votes/shared/api.ts'
import type { CommentView } from '../shared/api.ts'
import { commentList } from '../shared/api.ts'
import { EDIT_SECONDS } from './edit-window.ts'
import type { CommentRow } from './tables.ts'

/** What a person may do with a comment, as buttons of clients. Visitors get none. */
async function actionsFor(ctx: ReadContext) {
  const { person, now } = ctx
  if (!person) return () => []
  const may = await ctx.call(permissionVerdicts, { actions: ['report.add', 'comment.edit', 'comment.delete'] })
  const action = (name: string, type: string) => ({ action: name, name: ctx.text(`comment.action.${name}`), type })
  const [report, edit, remove] = [action('report', 'reason'), action('edit', 'edit'), action('delete', 'reason')]
  return (row: CommentRow) => {
    const isOwn = row.person_id === person.id
    const mayEdit = may['comment.edit']?.allowed || (isOwn && now - row.created_at <= EDIT_SECONDS)
    return [
      ...(!isOwn && may['report.add']?.allowed ? [report] : []),
      ...(mayEdit ? [edit] : []),
      ...(isOwn || may['comment.delete']?.allowed ? [remove] : []),
    ]
  }
}

/** Comments as they go out, with what other plugins fill in. As many statements for one row as for a hundred. */
export async function commentViews(ctx: ReadContext, rows: readonly CommentRow[]): Promise<CommentView[]> {
  if (rows.length === 0) return []
  const people = new Set(rows.flatMap((row) => (row.reply_person ? [row.person_id, row.reply_person] : [row.person_id])))
  const cards = await ctx.call(personCards, { ids: [...people] })
  // Not for comments themselves: the protocol knows their long ids only.
  const toId = await publicIds(ctx)
  const actions = await actionsFor(ctx)
  const items = rows.map((row): Decorated<CommentView> => {
    const author = cards[row.person_id] ?? nobody(row.person_id)
    const target = row.reply_person ? (cards[row.reply_person] ?? nobody(row.reply_person)) : undefined
    return {
      kind: 'comment',
      n: row.id,
      authorId: row.person_id,
      view: {
        comment_id: ctx.ids.encode('comment', row.id),
        created_at: row.created_at,
        object_id: toId(row.object_kind, row.object_n),
        vote_count: row.vote_count,
        is_vote: false,
        original_text: row.original_text,
        parsed_text: row.parsed_text,
        user_id: author.id,
        username: author.username,
        user_display_name: author.display_name,
        user_avatar: author.avatar,
        user_status: author.status,
        reply_user_id: target?.id ?? '',
        reply_username: target?.username ?? '',
        reply_user_display_name: target?.display_name ?? '',
        reply_comment_id: row.reply_comment ? ctx.ids.encode('comment', row.reply_comment) : '',
        reply_user_status: target?.status ?? '',
        status: row.status,
        member_actions: actions(row),
      },
    }
  })
  await ctx.decorate(liked, items)
  await ctx.decorate(commentList, items)
  return items.map((item) => item.view)
}
