import type { ReadContext } from '@stoa/sdk/server'
import { statement } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import { nobody, personCards } from '../../../accounts/shared/api.ts'
import { collected } from '../../../bookmarks/shared/api.ts'
import { commented, firstComments } from '../../../comments/shared/api.ts'
import { followed } from '../../../follows/shared/api.ts'
import { voted } from '../../../votes/shared/api.ts'
import type { ExperienceView } from '../../shared/api.ts'
import { experienceDetail, experienceErrors, isLive, postBag, postStatus } from '../../shared/api.ts'
import { lastActs } from '../store/acts.ts'
import { duplicate } from '../store/close-reasons.ts'
import { extensionsIn } from '../store/extensions.ts'
import { postAtAddress } from '../store/links.ts'
import { postIds, postNumber } from '../store/public-id.ts'
import type { PostRow } from '../store/rows.ts'
import { postColumns, postRow } from '../store/rows.ts'
import type { Tables } from '../store/tables.ts'
import { mayView } from '../store/visibility.ts'
import { memberActions } from './actions.ts'
import { columnsOfView } from './columns-of-view.ts'

type Body = {
  linked_count: number
  close_type: number
  closed_at: number
  close_message: string
  content: string
  html: string
  version: number
  extensions: string
  /** Views that are counted and not in `view_count` yet. */
  noted_views: number | null
}

export interface InfoQuery {
  id?: string | undefined
  /** Views that were counted and are not written yet, this reader's among them. */
  unwritten?: number | undefined
  with_comments?: boolean | undefined
}

/** `experience/info`. @throws `error.experience.not_found` for whoever may not see it */
export async function infoOf(ctx: ReadContext<Tables>, { id, ...asked }: InfoQuery): Promise<ExperienceView> {
  const n = postNumber(ctx.ids, id)
  const view = n === undefined ? null : await viewOf(ctx, { n, ...asked })
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
    .select([...postColumns, 'linked_count', 'close_type', 'closed_at', 'close_message', 'content', 'html', 'version', 'extensions'])
    .select((eb) =>
      eb.selectFrom('experiences__view as noted').select('n').whereRef('noted.post_id', '=', 'experiences__post.id').as('noted_views'),
    )
    .where('id', '=', n),
)

/** The whole of a post for the person who asks; null when there is none they may see. */
export async function viewOf(
  ctx: ReadContext<Tables>,
  { n, unwritten = 0, with_comments = false }: Omit<InfoQuery, 'id'> & { n: number },
): Promise<ExperienceView | null> {
  const [row] = await withBody(ctx.db, { n })
  if (!row || !mayView(ctx.person, { authorId: row.author_id, status: row.status })) return null
  const isPlain = row.status === postStatus.available && row.show === 1
  const last = isPlain && ctx.person?.id !== row.author_id ? {} : await lastActs(ctx.db, row.id)
  const state = { [postStatus.closed]: last.closing, [postStatus.deleted]: last.deletion }[row.status]
  const people = [row.author_id, row.editor_id, row.answerer_id, state?.person_id ?? 0, last.listing?.person_id ?? 0].filter(
    (person) => person > 0,
  )
  const cards = await ctx.call(personCards, { ids: [...new Set(people)] })
  const card = (person: number) => cards[person] ?? nobody(person)
  const toId = await postIds(ctx)
  const by = (act: LastAct | undefined) => (act && act.person_id > 0 ? { user_info: card(act.person_id) } : {})
  const operation = await operationOf(ctx, row, state, toId)
  const view: ExperienceView = {
    id: toId(row.id),
    title: row.title,
    ...columnsOfView(row),
    content: row.content,
    html: row.html,
    version: row.version,
    description: row.excerpt,
    tags: [],
    view_count: row.view_count + (isLive(row) ? (row.noted_views ?? 0) + unwritten : 0),
    unique_view_count: 0,
    ...(operation && { operation: { ...operation, ...by(state) } }),
    ...(row.show === 2 && last.listing && { unlisted: { time: last.listing.at, ...by(last.listing) } }),
    user_info: card(row.author_id),
    ...(row.edited_at > 0 && { update_user_info: card(row.editor_id) }),
    ...(row.last_answer > 0 && { last_answered_user_info: card(row.answerer_id) }),
    answered: false,
    first_answer_id: '',
    linked_count: row.linked_count,
    collected: false,
    vote_status: '',
    is_followed: false,
    extensions: ctx.shown(postBag, extensionsIn(row.extensions)),
    member_actions: await memberActions(ctx, row, last),
    extends_actions: [],
  }
  const items = [{ kind: 'experience', n: row.id, authorId: row.author_id, view }]
  // Each fills what is its own: their statements go together.
  await Promise.all([
    ctx.decorate(voted, items),
    ctx.decorate(followed, items),
    ctx.decorate(collected, items),
    ctx.decorate(with_comments ? firstComments : commented, items),
  ])
  await ctx.decorate(experienceDetail, items)
  return view
}

type LastAct = { person_id: number; at: number }

/** Why a post is not simply there; undefined for one that is. */
async function operationOf(
  ctx: ReadContext<Tables>,
  row: PostRow & Body,
  act: LastAct | undefined,
  toId: (n: number) => string,
): Promise<ExperienceView['operation']> {
  if (row.status === postStatus.closed) {
    const reason = row.close_type > 0 ? `experience.close_reason.${row.close_type}` : 'experience.state.closed'
    const original = row.close_type === duplicate ? await originalOf(ctx, row.close_message) : undefined
    return {
      type: ctx.text(`${reason}.name`),
      description: ctx.text(`${reason}.description`),
      msg: row.close_message,
      time: row.closed_at,
      level: 'info',
      ...(original && { original: { id: toId(original.id), title: original.title, url_title: original.url_title } }),
    }
  }
  const state = row.status === postStatus.deleted ? 'deleted' : row.status === postStatus.pending ? 'pending' : undefined
  if (!state) return undefined
  return {
    // Clients of the protocol hide the answer form of a closed post by its type; these two have none.
    type: '',
    description: '',
    msg: ctx.text(`experience.state.${state}.description`),
    time: act?.at ?? 0,
    level: state === 'deleted' ? 'danger' : 'secondary',
  }
}

/** The post that a duplicate repeats, when everybody may see it. */
async function originalOf(ctx: ReadContext<Tables>, address: string): Promise<PostRow | undefined> {
  // A path alone is taken too when a post is closed.
  const n = postAtAddress(URL.parse(address, 'http://here')?.pathname ?? '', '')
  const row = n === undefined ? undefined : await postRow(ctx.db, n)
  return row && isLive(row) ? row : undefined
}
