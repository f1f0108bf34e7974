import type { Extensions } from '@stoa/sdk'
import { baseErrors, isStaff, read } from '@stoa/sdk'
import type { ReadContext, Static } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import { nobody, personCards } from '../../accounts/shared/api.ts'
import type { ReviewQueue } from '../../site/shared/api.ts'
import { permissionVerdicts, publicIds } from '../../site/shared/api.ts'
import type { HistoryObject, RevisionText } from '../shared/api.ts'
import { objectNotFound, revisionContents } from '../shared/api.ts'
import type * as schemas from '../shared/schemas.ts'
import { textIn } from './keep.ts'
import type { RevisionRow, Tables } from './tables.ts'
import { revisionColumns, waitingStatus } from './tables.ts'
import { readTarget, visibleObject } from './targets.ts'

/** What is put into words later: by plugins, beside the workers in which is read. */
export type Unspoken<T extends { fields: unknown }> = Omit<T, 'fields'> & { extensions: Extensions }
type Revision = Unspoken<Static<typeof schemas.revisions.reply>[number]>
type Suggestion = Static<typeof schemas.unreviewed.reply>['list'][number]
interface Unreviewed {
  count: number
  list: { type: string; info: Unspoken<Suggestion['info']>; unreviewed_info: Revision }[]
}
export type TimelineTag = { slug_name: string; display_name: string; main_tag_slug_name: string; recommend: boolean; reserved: boolean }

/** Revisions in one reply: the newest, and no more than so many characters beyond the first. */
const MOST = 50
const MOST_CHARACTERS = 1_000_000

export const revisionsOf = read<{ object_id: string }, { kind: string; list: Revision[] }>('history.revisions')
export const unreviewedOf = read<{ page: number }, Unreviewed>('history.unreviewed')

export const tagsOf = (text: RevisionText): TimelineTag[] =>
  text.tags.map(({ slug_name, display_name }) => ({ slug_name, display_name, main_tag_slug_name: '', recommend: false, reserved: false }))

/** `revisions`: the texts an object has had, newest first. */
export async function readRevisions(
  ctx: ReadContext<Tables>,
  { object_id }: { object_id: string },
): Promise<{ kind: string; list: Revision[] }> {
  // A form error without fields: the protocol names none here.
  if (object_id === '') throw baseErrors.request_format_error({ detail: 'object_id' })
  const name = ctx.ids.decode(object_id)
  const object = name && (await visibleObject(ctx, name))
  if (!name || !object) throw objectNotFound({ id: object_id })
  const rows = await ctx.db
    .selectFrom('history__revision')
    .select(revisionColumns)
    .where('object_n', '=', name.n)
    .where('object_kind', '=', name.kind)
    .where('position', '>', 0)
    .orderBy('position', 'desc')
    .limit(MOST)
    .execute()
  let characters = 0
  const shown = rows.filter((row, index) => {
    characters += row.text.length
    return index === 0 || characters <= MOST_CHARACTERS
  })
  return { kind: name.kind, list: await revisionViews(ctx, shown, object) }
}

async function revisionViews(ctx: ReadContext, rows: RevisionRow[], object: HistoryObject): Promise<Revision[]> {
  const items = rows.map((row) => ({ kind: row.object_kind, n: row.object_n, row, text: textIn(row), content: null as unknown }))
  await ctx.decorate(revisionContents, items)
  const cards = await ctx.call(personCards, { ids: [...new Set(rows.map((row) => row.editor_id).filter((id) => id > 0))] })
  const toId = await publicIds(ctx)
  return items.map(({ row, kind, n, text, content }) => ({
    id: String(row.id),
    use_id: String(row.editor_id),
    object_id: toId(kind, n),
    title: text.title || object.title,
    url_title: object.url_title,
    content,
    status: row.status,
    create_at: row.stored_at || row.created_at,
    user_info: cards[row.editor_id] ?? nobody(row.editor_id),
    reason: row.editor_id === 0 ? ctx.text('history.changed_meanwhile') : row.summary,
    extensions: text.extensions ?? {},
  }))
}

/** `revisions/unreviewed`: one suggestion a page, oldest first, of the kinds whose edits the person who asks may review; never their own. */
export async function readUnreviewed(ctx: ReadContext<Tables>, { page }: { page: number }): Promise<Unreviewed> {
  const kinds = await auditedKinds(ctx)
  if (kinds.length === 0) return { count: 0, list: [] }
  const waiting = ctx.db
    .selectFrom('history__revision')
    .where('status', '=', waitingStatus)
    .where('object_kind', 'in', kinds)
    .where('editor_id', '!=', ctx.person?.id ?? 0)
  const { count } = await waiting.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const row = await waiting
    .select(revisionColumns)
    .orderBy('id')
    .limit(1)
    .offset(page - 1)
    .executeTakeFirst()
  const target = row && (await readTarget(ctx, { kind: row.object_kind, n: row.object_n }))
  if (!row || !target) return { count: Number(count), list: [] }
  const { object, present } = target
  const [unreviewed_info] = await revisionViews(ctx, [row], object)
  const toId = await publicIds(ctx)
  const info = {
    created_at: object.createdAt,
    object_id: toId(row.object_kind, row.object_n),
    experience_id: object.experience_id,
    answer_id: object.answer_id,
    comment_id: '',
    object_type: row.object_kind,
    object_creator_user_id: String(object.authorId),
    title: object.title,
    url_title: object.url_title,
    content: present.text.content,
    html: present.html,
    answer_count: present.answerCount,
    answer_accepted: present.answerAccepted,
    tags: present.text.tags.length > 0 ? tagsOf(present.text) : null,
    status: object.status,
    show_status: object.show,
    extensions: present.text.extensions ?? {},
  }
  return { count: Number(count), list: [{ type: row.object_kind, info, unreviewed_info: unreviewed_info as Revision }] }
}

/** Adds what waits for the person who asks. */
export async function addWaiting(ctx: ReadContext<Tables>, items: { open: number; may: boolean }[]): Promise<void> {
  const kinds = await auditedKinds(ctx)
  const count = await countWaiting(ctx, kinds)
  for (const item of items) {
    item.open += count
    item.may ||= kinds.length > 0 || isStaff(ctx.person)
  }
}

/** Adds the queue of suggested edits, with what waits for the person who asks. */
export async function addQueue(ctx: ReadContext<Tables>, items: { queues: ReviewQueue[] }[]): Promise<void> {
  const todo_amount = await countWaiting(ctx, await auditedKinds(ctx))
  for (const { queues } of items) queues.push({ name: 'suggested_post_edit', label: ctx.text('history.queue'), todo_amount, order: 30 })
}

/** Suggestions of others on objects of these kinds. */
async function countWaiting(ctx: ReadContext<Tables>, kinds: readonly string[]): Promise<number> {
  if (kinds.length === 0) return 0
  const { count } = await ctx.db
    .selectFrom('history__revision')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('status', '=', waitingStatus)
    .where('object_kind', 'in', kinds)
    .where('editor_id', '!=', ctx.person?.id ?? 0)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Of the kinds with something that waits, those whose edits the person who asks may review. */
async function auditedKinds(ctx: ReadContext<Tables>): Promise<string[]> {
  const rows = await waitingKinds(ctx.db)
  if (rows.length === 0) return []
  const verdicts = await ctx.call(permissionVerdicts, { actions: rows.map(({ object_kind }) => `${object_kind}.audit`) })
  return rows.map(({ object_kind }) => object_kind).filter((kind) => verdicts[`${kind}.audit`]?.allowed)
}

const waitingKinds = (db: Kysely<Tables>) =>
  db.selectFrom('history__revision').select('object_kind').distinct().where('status', '=', waitingStatus).execute()
