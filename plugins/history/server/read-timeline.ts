import { isAdmin, isStaff, read } from '@stoa/sdk'
import type { ReadContext, Static } from '@stoa/sdk/server'
import { escapeHtml } from '@stoa/sdk/server'
import { nobody, personCards } from '../../accounts/shared/api.ts'
import { permissionVerdicts, publicIds } from '../../site/shared/api.ts'
import type { HistoryObject, ObjectName, TimelineLine } from '../shared/api.ts'
import { historyErrors, objectNotFound, timelineLines } from '../shared/api.ts'
import type * as schemas from '../shared/schemas.ts'
import { textIn } from './keep.ts'
import type { Unspoken } from './read-revisions.ts'
import { tagsOf } from './read-revisions.ts'
import type { RevisionRow, Tables } from './tables.ts'
import { revisionColumns } from './tables.ts'
import { visibleObject, visibleObjects } from './targets.ts'

type Timeline = Static<typeof schemas.timeline.reply>
type Side = Unspoken<NonNullable<Static<typeof schemas.detail.reply>['new_revision']>>
interface Detail {
  kind: string
  new_revision: Side
  old_revision: Side | null
}

/** Lines of one source, and of the whole. The protocol knows no pages here. */
const MOST_OF_ONE = 200
const MOST = 400

export const timelineOf = read<Static<typeof schemas.timeline.query>, Timeline>('history.timeline')
export const detailOf = read<Static<typeof schemas.detail.query>, Detail>('history.detail')

interface Line extends ObjectName {
  id: string
  revision: number
  type: string
  at: number
  personId: number
  comment: string
  takenBackAt: number
}

/** `activity/timeline`: what happened to an object and to what belongs to it, newest first, as far as the person who asks may see it. */
export async function readTimeline(ctx: ReadContext<Tables>, query: Static<typeof schemas.timeline.query>): Promise<Timeline> {
  const name = ctx.ids.decode(query.object_id)
  const object = name && (await visibleObject(ctx, name))
  if (!name || !object) throw objectNotFound({ id: query.object_id })
  const lines = await linesOf(ctx, { kind: name.kind, n: name.n }, object, query.show_vote)
  const shown = await visibleObjects(ctx, lines)
  const visible = lines
    .filter(({ kind, n }) => shown.has(`${kind} ${n}`))
    .sort((a, b) => b.at - a.at || earliness(a) - earliness(b))
    .slice(0, MOST)
  const people = new Set([object.authorId, ...visible.map((line) => line.personId)])
  const cards = await ctx.call(personCards, { ids: [...people].filter((id) => id > 0) })
  const toId = await publicIds(ctx)
  const author = cards[object.authorId]
  const isHidden = (line: Line) => line.personId === 0 || (line.type === 'downvote' && !isAdmin(ctx.person))
  return {
    object_info: {
      title: object.title,
      url_title: object.url_title,
      object_type: name.kind,
      experience_id: object.experience_id,
      answer_id: object.answer_id,
      username: author?.username ?? '',
      display_name: author?.display_name ?? '',
      main_tag_slug_name: object.main_tag_slug_name,
    },
    timeline: visible.map((line) => ({
      activity_id: line.id,
      revision_id: String(line.revision),
      created_at: line.at,
      activity_type: line.type,
      comment: line.comment,
      object_id: toId(line.kind, line.n),
      object_type: line.kind,
      cancelled: line.takenBackAt > 0,
      cancelled_at: line.takenBackAt,
      user_info: isHidden(line) ? { ...nobody(0), id: '0', display_name: 'N/A' } : (cards[line.personId] ?? nobody(line.personId)),
    })),
  }
}

/** In one second: first the object, then what stands below it, then what was done to either. */
const earliness = ({ id, type }: Line): number => (id === 'began' ? 2 : type === 'answered' ? 1 : 0)

async function linesOf(ctx: ReadContext<Tables>, name: ObjectName, object: HistoryObject, votes: boolean): Promise<Line[]> {
  const isRoot = object.root.kind === name.kind && object.root.n === name.n
  const [revisions, notes] = await Promise.all([
    ctx.db
      .selectFrom('history__revision')
      .select(['id', 'object_kind', 'object_n', 'editor_id', 'position', 'stored_at', 'summary'])
      .where(isRoot ? 'root_n' : 'object_n', '=', name.n)
      .where(isRoot ? 'root_kind' : 'object_kind', '=', name.kind)
      .where('stored_at', '>', 0)
      .orderBy('stored_at', 'desc')
      .orderBy('id', 'desc')
      .limit(MOST_OF_ONE)
      .execute(),
    ctx.db
      .selectFrom('history__note')
      .select(['id', 'object_kind', 'object_n', 'person_id', 'type', 'created_at', 'taken_back_at', 'html'])
      .where(isRoot ? 'root_n' : 'object_n', '=', name.n)
      .where(isRoot ? 'root_kind' : 'object_kind', '=', name.kind)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(MOST_OF_ONE)
      .execute(),
  ])
  const items = [{ ...name, votes, limit: MOST_OF_ONE, lines: [] as TimelineLine[] }]
  await ctx.decorate(timelineLines, items)
  const told = items[0]?.lines ?? []
  const first = new Map(revisions.filter((row) => row.position === 1).map((row) => [`${row.object_kind} ${row.object_n}`, row.id]))
  const firstOf = (of: ObjectName) => first.get(`${of.kind} ${of.n}`) ?? 0
  const known = (line: Omit<Line, 'revision' | 'takenBackAt'>): Line => ({ ...line, revision: 0, takenBackAt: 0 })
  const beginning = known({ ...name, id: 'began', type: object.began, at: object.createdAt, personId: object.authorId, comment: '' })
  return [
    { ...beginning, revision: firstOf(name) },
    ...told.map((line) => ({
      ...known({ ...line, id: `${line.type}${line.id}` }),
      revision: line.type === 'answered' ? firstOf(line) : 0,
    })),
    ...revisions
      .filter((row) => row.position > 1)
      .map((row) => ({
        kind: row.object_kind,
        n: row.object_n,
        id: `revision${row.id}`,
        revision: row.id,
        type: 'edited',
        at: row.stored_at,
        personId: row.editor_id,
        comment: escapeHtml(row.editor_id === 0 ? ctx.text('history.changed_meanwhile') : row.summary),
        takenBackAt: 0,
      })),
    ...notes.map((row) => ({
      kind: row.object_kind,
      n: row.object_n,
      id: `note${row.id}`,
      revision: 0,
      type: row.type,
      at: row.created_at,
      personId: row.person_id,
      comment: row.html,
      takenBackAt: row.taken_back_at,
    })),
  ]
}

/** `activity/timeline/detail`: two texts of an object; `0` and a revision of something else are none. */
export async function readDetail(ctx: ReadContext<Tables>, query: Static<typeof schemas.detail.query>): Promise<Detail> {
  const newer = await revisionFor(ctx, query.new_revision_id)
  if (!newer) throw historyErrors.not_found({ id: query.new_revision_id })
  const older = query.old_revision_id === '0' ? undefined : await revisionFor(ctx, query.old_revision_id)
  if (query.old_revision_id !== '0' && (older?.object_kind !== newer.object_kind || older.object_n !== newer.object_n))
    throw historyErrors.not_found({ id: query.old_revision_id })
  const object = await visibleObject(ctx, { kind: newer.object_kind, n: newer.object_n })
  if (!object) throw historyErrors.not_found({ id: query.new_revision_id })
  const side = (row: RevisionRow): Side => {
    const text = textIn(row)
    return {
      title: text.title || object.title,
      tags: tagsOf(text),
      original_text: text.content,
      slug_name: text.slug_name,
      main_tag_slug_name: '',
      extensions: text.extensions ?? {},
    }
  }
  return { kind: newer.object_kind, new_revision: side(newer), old_revision: older ? side(older) : null }
}

/** A revision; one that was never the text only for who wrote it and for those who review. */
async function revisionFor(ctx: ReadContext<Tables>, id: string): Promise<RevisionRow | undefined> {
  if (!/^[1-9]\d{0,14}$/.test(id)) return undefined
  const row = await ctx.db.selectFrom('history__revision').select(revisionColumns).where('id', '=', Number(id)).executeTakeFirst()
  if (!row || row.position > 0 || row.editor_id === ctx.person?.id || isStaff(ctx.person)) return row
  const verdicts = await ctx.call(permissionVerdicts, { actions: [`${row.object_kind}.audit`] })
  return verdicts[`${row.object_kind}.audit`]?.allowed ? row : undefined
}
