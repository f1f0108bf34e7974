import type { ReadContext } from '@stoa/sdk/server'
import { statement } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import { nobody, personCards } from '../../../accounts/shared/api.ts'
import { voted } from '../../../votes/shared/api.ts'
import type { ExperienceView } from '../../shared/api.ts'
import { experienceDetail, experienceErrors, postStatus } from '../../shared/api.ts'
import { answerId, postIds, postNumber } from '../store/public-id.ts'
import type { PostRow } from '../store/rows.ts'
import { postColumns } from '../store/rows.ts'
import type { Tables } from '../store/tables.ts'
import { isLive, mayView } from '../store/visibility.ts'
import { memberActions } from './actions.ts'

type Body = { close_type: number; closed_at: number; close_message: string; content: string; html: string }

export interface InfoQuery {
  id?: string | undefined
  /** Views that were counted and are not written yet, this reader's among them. */
  unwritten?: number
}

/** `experience/info`. @throws `error.experience.not_found` for whoever may not see it */
export async function infoOf(ctx: ReadContext<Tables>, { id, unwritten }: InfoQuery): Promise<ExperienceView> {
  const n = postNumber(ctx.ids, id)
  const view = n === undefined ? null : await viewOf(ctx, { n, unwritten })
  if (!view) throw experienceErrors.not_found({ id })
  return view
}

/** The same by running number. */
export async function writtenOf(ctx: ReadContext<Tables>, { n }: { n: number }): Promise<ExperienceView> {
  const view = await viewOf(ctx, { n })
  if (!view) throw experienceErrors.not_found({ id: n })
  return view
}

const withBody = statement((db: Kysely<Tables>, { n }: { n: number }) =>
  db
    .selectFrom('experiences__post')
    .innerJoin('experiences__body', 'post_id', 'id')
    .select([...postColumns, 'close_type', 'closed_at', 'close_message', 'content', 'html'])
    .where('id', '=', n),
)

/** The whole of a post for the person who asks; null when there is none they may see. */
export async function viewOf(
  ctx: ReadContext<Tables>,
  { n, unwritten = 0 }: { n: number; unwritten?: number | undefined },
): Promise<ExperienceView | null> {
  const [row] = await withBody(ctx.db, { n })
  if (!row || !mayView(ctx.person, { authorId: row.author_id, status: row.status })) return null
  const people = [row.author_id, row.editor_id, row.answerer_id].filter((person) => person > 0)
  const cards = await ctx.call(personCards, { ids: [...new Set(people)] })
  const card = (person: number) => cards[person] ?? nobody(person)
  const toId = await postIds(ctx)
  const operation = operationOf(ctx, row)
  const view: ExperienceView = {
    id: toId(row.id),
    title: row.title,
    url_title: row.url_title,
    content: row.content,
    html: row.html,
    description: row.excerpt,
    tags: [],
    view_count: row.view_count + (isLive(row.status) ? unwritten : 0),
    unique_view_count: 0,
    vote_count: row.vote_count,
    answer_count: row.answer_count,
    collection_count: row.collection_count,
    follow_count: row.follow_count,
    accepted_answer_id: answerId(row.accepted_answer),
    last_answer_id: answerId(row.last_answer),
    create_time: row.created_at,
    update_time: row.active_at,
    edit_time: row.edited_at,
    pin: row.pin,
    show: row.show,
    status: row.status,
    ...(operation && { operation }),
    user_info: card(row.author_id),
    ...(row.edited_at > 0 && { update_user_info: card(row.editor_id) }),
    ...(row.last_answer > 0 && { last_answered_user_info: card(row.answerer_id) }),
    answered: false,
    first_answer_id: '',
    collected: false,
    vote_status: '',
    is_followed: false,
    member_actions: await memberActions(ctx, row),
    extends_actions: [],
  }
  const items = [{ kind: 'experience', n: row.id, authorId: row.author_id, view }]
  await ctx.decorate(voted, items)
  await ctx.decorate(experienceDetail, items)
  return view
}

/** Why a post is not simply there; undefined for one that is. */
function operationOf(ctx: ReadContext, row: PostRow & Body): ExperienceView['operation'] {
  if (row.status === postStatus.closed) {
    const reason = row.close_type > 0 ? `experience.close_reason.${row.close_type}` : 'experience.state.closed'
    return {
      type: ctx.text(`${reason}.name`),
      description: ctx.text(`${reason}.description`),
      msg: row.close_message,
      time: row.closed_at,
      level: 'info',
    }
  }
  const state = row.status === postStatus.deleted ? 'deleted' : row.status === postStatus.pending ? 'pending' : undefined
  if (!state) return undefined
  return {
    // Clients of the protocol hide the answer form of a closed post by its type; these two have none.
    type: '',
    description: '',
    msg: ctx.text(`experience.state.${state}.description`),
    time: 0,
    level: state === 'deleted' ? 'danger' : 'secondary',
  }
}
