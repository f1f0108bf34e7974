import type { ReadContext } from '@stoa/sdk/server'
import type { HistoryObject, ObjectName, PresentText, RevisionText } from '../../../history/shared/api.ts'
import type { TagView } from '../../shared/api.ts'
import { postBag } from '../../shared/api.ts'
import { columnsOfView } from '../detail/columns-of-view.ts'
import { listItems } from '../lists/list-item.ts'
import { extensionsIn } from '../store/extensions.ts'
import { postIds } from '../store/public-id.ts'
import { postRows } from '../store/rows.ts'
import type { Tables } from '../store/tables.ts'
import { mayView } from '../store/visibility.ts'

const own = <I extends ObjectName>(items: I[]): I[] => items.filter((item) => item.kind === 'experience')
const numbers = (items: ObjectName[]): number[] => [...new Set(items.map((item) => item.n))]

/** What timelines say of posts, for who may see them. */
export async function fillObjects(ctx: ReadContext<Tables>, items: (ObjectName & { view: HistoryObject | null })[]): Promise<void> {
  const posts = own(items)
  if (posts.length === 0) return
  const rows = new Map((await postRows(ctx.db, numbers(posts))).map((row) => [row.id, row]))
  const toId = await postIds(ctx)
  for (const item of posts) {
    const row = rows.get(item.n)
    if (!row || !mayView(ctx.person, { authorId: row.author_id, status: row.status })) continue
    item.view = {
      root: { kind: 'experience', n: row.id },
      authorId: row.author_id,
      createdAt: row.created_at,
      title: row.title,
      url_title: row.url_title,
      experience_id: toId(row.id),
      answer_id: '',
      main_tag_slug_name: '',
      status: row.status,
      show: row.show,
      began: 'asked',
    }
  }
}

/** A post's text as it stands, whoever asks; null for an unknown number. */
export async function presentOf(ctx: ReadContext<Tables>, { n }: { n: number }): Promise<PresentText | null> {
  const [row] = await postRows(ctx.db, [n])
  const body = await ctx.db
    .selectFrom('experiences__body')
    .select(['content', 'html', 'version', 'extensions'])
    .where('post_id', '=', n)
    .executeTakeFirst()
  if (!row || !body) return null
  const [item] = await listItems(ctx, [row])
  return {
    text: {
      title: row.title,
      content: body.content,
      tags: (item?.tags ?? []).map(named),
      slug_name: '',
      extensions: extensionsIn(body.extensions),
    },
    html: body.html,
    version: body.version,
    answerCount: row.answer_count,
    answerAccepted: row.accepted_answer > 0,
  }
}
const named = ({ slug_name, display_name }: TagView) => ({ slug_name, display_name })

export async function fillPresent(ctx: ReadContext<Tables>, items: (ObjectName & { present: PresentText | null })[]): Promise<void> {
  for (const item of own(items)) item.present = await presentOf(ctx, item)
}

/** Older texts of posts as `experience/info` sends a post. What no revision keeps is as it is today. */
export async function fillContents(
  ctx: ReadContext<Tables>,
  items: (ObjectName & { text: RevisionText; content: unknown })[],
): Promise<void> {
  const posts = own(items)
  if (posts.length === 0) return
  const rows = new Map((await postRows(ctx.db, numbers(posts))).map((row) => [row.id, row]))
  const toId = await postIds(ctx)
  for (const item of posts) {
    const row = rows.get(item.n)
    if (!row) continue
    item.content = {
      id: toId(row.id),
      title: item.text.title,
      ...columnsOfView(row),
      content: item.text.content,
      html: '',
      description: '',
      tags: item.text.tags.map((tag) => ({ ...tag, main_tag_slug_name: '', recommend: false, reserved: false })),
      view_count: row.view_count,
      unique_view_count: 0,
      user_info: null,
      answered: false,
      first_answer_id: '',
      collected: false,
      vote_status: '',
      is_followed: false,
      member_actions: null,
      extends_actions: null,
      ...(item.text.extensions && { extensions: ctx.shown(postBag, item.text.extensions) }),
    }
  }
}
