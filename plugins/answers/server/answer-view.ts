import type { Decorated } from '@stoa/sdk'
import type { ReadContext } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import { nobody, personCards } from '../../accounts/shared/api.ts'
import { commented, firstComments } from '../../comments/shared/api.ts'
import { takesSuggestions } from '../../history/shared/api.ts'
import { permissionVerdicts } from '../../site/shared/api.ts'
import { voted } from '../../votes/shared/api.ts'
import type { AnswerView } from '../shared/api.ts'
import { answerList } from '../shared/api.ts'
import { publicIds } from './public-ids.ts'
import type { AnswerRow, Tables } from './tables.ts'
import { answerColumns, answerStatus } from './tables.ts'

export interface FullRow extends AnswerRow {
  content: string
  html: string
  version: number
}

/** Rows with their texts, in any order. */
export function selectFull({ db }: { db: Kysely<Tables> }) {
  return db
    .selectFrom('answers__answer as a')
    .innerJoin('answers__text as t', 't.answer_id', 'a.id')
    .select([...answerColumns.map((column) => `a.${column}` as const), 't.content', 't.html', 't.version'])
}

export type MemberAction = AnswerView['member_actions'][number]

/** What a person may do with an answer, as buttons of clients. Visitors get none. */
export async function actionsFor(ctx: ReadContext): Promise<(row: AnswerRow) => MemberAction[]> {
  const { person } = ctx
  if (!person) return () => []
  const may = await ctx.call(permissionVerdicts, {
    actions: ['report.add', 'answer.edit', 'answer.edit_without_review', 'answer.delete', 'answer.undeleted'],
  })
  const mayEdit =
    may['answer.edit_without_review']?.allowed ||
    (may['answer.edit']?.allowed && (await ctx.read(takesSuggestions, {}, { otherwise: false })))
  const action = (name: string, type: MemberAction['type']): MemberAction => ({
    action: name,
    name: ctx.text(`answer.action.${name}`),
    type,
  })
  const [report, edit] = [action('report', 'reason'), action('edit', 'edit')]
  const [remove, recover] = [action('delete', 'confirm'), action('undelete', 'confirm')]
  return (row) => {
    const isOwner = row.person_id === person.id
    // Until staff have the last word.
    const mayOwn = isOwner && !row.acted_by_staff
    const list: MemberAction[] = []
    if (!isOwner && may['report.add']?.allowed) list.push(report)
    if (isOwner || mayEdit) list.push(edit)
    if (row.status === answerStatus.deleted) {
      if (mayOwn || may['answer.undeleted']?.allowed) list.push(recover)
    } else if (mayOwn || may['answer.delete']?.allowed) list.push(remove)
    return list
  }
}

/** What goes out with answers beside themselves. */
interface Sent {
  actions: boolean
  comments?: boolean
}

/** Answers as they go out, with what other plugins fill in. As many statements for one row as for a hundred. */
export async function answerViews(ctx: ReadContext, rows: readonly FullRow[], sent: Sent): Promise<AnswerView[]> {
  if (rows.length === 0) return []
  const ids = await publicIds(ctx)
  const people = new Set(rows.flatMap((row) => (row.editor_id ? [row.person_id, row.editor_id] : [row.person_id])))
  const cards = await ctx.call(personCards, { ids: [...people] })
  const actions = sent.actions ? await actionsFor(ctx) : () => []
  const items = rows.map(
    (row): Decorated<AnswerView> => ({
      kind: 'answer',
      n: row.id,
      authorId: row.person_id,
      view: {
        id: ids.answer(row.id),
        experience_id: ids.experience(row.experience),
        content: row.content,
        html: row.html,
        version: row.version,
        create_time: row.created_at,
        update_time: row.updated_at,
        accepted: row.accepted ? 2 : 1,
        user_info: cards[row.person_id] ?? nobody(row.person_id),
        ...(row.editor_id && row.editor_id !== row.person_id ? { update_user_info: cards[row.editor_id] ?? nobody(row.editor_id) } : {}),
        collected: false,
        vote_status: '',
        vote_count: row.vote_count,
        comment_count: row.comment_count,
        status: row.status,
        member_actions: actions(row),
      },
    }),
  )
  // What waits is counted for nobody, and seen by some.
  const { counted = [], uncounted = [] } = Object.groupBy(items, ({ view }) => (view.comment_count > 0 ? 'counted' : 'uncounted'))
  const withComments = () => {
    if (sent.comments) return ctx.decorate(firstComments, ctx.person ? items : counted)
    return ctx.person ? ctx.decorate(commented, uncounted) : undefined
  }
  // Each fills what is its own: their statements go together.
  await Promise.all([ctx.decorate(voted, items), withComments()])
  await ctx.decorate(answerList, items)
  return items.map((item) => item.view)
}
