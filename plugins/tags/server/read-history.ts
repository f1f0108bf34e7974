import { isStaff } from '@stoa/sdk'
import type { ReadContext } from '@stoa/sdk/server'
import type { HistoryObject, ObjectName, PresentText, RevisionText } from '../../history/shared/api.ts'
import type { NoticeObject } from '../../notifications/shared/api.ts'
import { publicIds } from '../../site/shared/api.ts'
import { textOf } from './keep-history.ts'
import type { Tables } from './tables.ts'
import { tagStatus } from './tables.ts'
import { tagMarks } from './tag-marks.ts'
import { tagsById } from './tag-rows.ts'

const own = <I extends ObjectName>(items: I[]): I[] => items.filter((item) => item.kind === 'tag')
const numbers = (items: ObjectName[]): number[] => [...new Set(items.map((item) => item.n))]

/** What timelines say of tags; deleted ones are there for staff. */
export async function fillObjects(ctx: ReadContext<Tables>, items: (ObjectName & { view: HistoryObject | null })[]): Promise<void> {
  const tags = own(items)
  const rows = await tagsById(ctx.db, numbers(tags))
  const mains = await tagsById(
    ctx.db,
    [...rows.values()].map((row) => row.main_id).filter((id) => id > 0),
  )
  for (const item of tags) {
    const row = rows.get(item.n)
    if (!row || (row.status === tagStatus.deleted && !isStaff(ctx.person))) continue
    item.view = {
      root: { kind: 'tag', n: row.id },
      authorId: row.author_id,
      createdAt: row.created_at,
      title: row.display_name,
      url_title: row.slug,
      experience_id: '',
      answer_id: '',
      main_tag_slug_name: mains.get(row.main_id)?.slug ?? '',
      status: row.status,
      show: 1,
      began: 'created',
    }
  }
}

/** What notices say of tags. */
export async function fillNoticeObjects(ctx: ReadContext<Tables>, items: (ObjectName & { view?: NoticeObject | null })[]): Promise<void> {
  const tags = own(items)
  const rows = await tagsById(ctx.db, numbers(tags))
  for (const item of tags) {
    const row = rows.get(item.n)
    item.view = row
      ? {
          id: ctx.ids.encode('tag', row.id),
          type: 'tag',
          title: row.display_name,
          excerpt: '',
          path: `/tags/${encodeURIComponent(row.slug)}`,
          map: { experience: '0', answer: '0', comment: '' },
          authorId: row.author_id,
          isShown: row.status !== tagStatus.deleted,
        }
      : null
  }
}

/** Texts of tags as they stand, whoever asks. */
export async function fillPresent(ctx: ReadContext<Tables>, items: (ObjectName & { present: PresentText | null })[]): Promise<void> {
  const tags = own(items)
  const rows = await tagsById(ctx.db, numbers(tags))
  for (const item of tags) {
    const row = rows.get(item.n)
    if (row) item.present = { text: textOf(row), html: row.parsed_text, version: row.version, answerCount: 0, answerAccepted: false }
  }
}

/** Older texts of tags as `tag` sends one. */
export async function fillContents(
  ctx: ReadContext<Tables>,
  items: (ObjectName & { text: RevisionText; content: unknown })[],
): Promise<void> {
  const tags = own(items)
  if (tags.length === 0) return
  const rows = await tagsById(ctx.db, numbers(tags))
  const marks = await tagMarks(ctx)
  const toId = await publicIds(ctx)
  for (const item of tags) {
    const row = rows.get(item.n)
    if (!row) continue
    item.content = {
      tag_id: toId('tag', row.id),
      created_at: row.created_at,
      updated_at: row.updated_at,
      slug_name: item.text.slug_name,
      display_name: item.text.title,
      excerpt: '',
      original_text: item.text.content,
      parsed_text: '',
      description: '',
      follow_count: 0,
      experience_count: row.experience_count,
      is_follower: false,
      status: row.status === tagStatus.deleted ? 'deleted' : 'available',
      member_actions: null,
      main_tag_slug_name: '',
      ...marks.of(item.text.slug_name),
    }
  }
}
