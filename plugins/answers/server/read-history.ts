import type { ReadContext } from '@stoa/sdk/server'
import type { HistoryObject, ObjectName, PresentText, RevisionText, TimelineLine } from '../../history/shared/api.ts'
import { publicIds } from './public-ids.ts'
import { visiblePosts } from './read-answers.ts'
import { maySee } from './rows.ts'
import type { Tables } from './tables.ts'
import { answerColumns, answerStatus } from './tables.ts'

const own = <I extends ObjectName>(items: I[]): I[] => items.filter((item) => item.kind === 'answer')
const numbers = (items: ObjectName[]): number[] => [...new Set(items.map((item) => item.n))]

/** What timelines say of answers, for who may see them and their posts. */
export async function fillObjects(ctx: ReadContext<Tables>, items: (ObjectName & { view: HistoryObject | null })[]): Promise<void> {
  const answers = own(items)
  if (answers.length === 0) return
  const rows = await ctx.db.selectFrom('answers__answer').select(answerColumns).where('id', 'in', numbers(answers)).execute()
  const posts = await visiblePosts(
    ctx,
    rows.map((row) => row.experience),
  )
  const ids = await publicIds(ctx)
  const byNumber = new Map(rows.map((row) => [row.id, row]))
  for (const item of answers) {
    const row = byNumber.get(item.n)
    const post = row && posts.get(row.experience)
    if (!row || !post || !maySee(ctx.person, row)) continue
    item.view = {
      root: { kind: 'experience', n: row.experience },
      authorId: row.person_id,
      createdAt: row.created_at,
      title: post.title,
      url_title: post.urlTitle,
      experience_id: ids.experience(row.experience),
      answer_id: ids.answer(row.id),
      main_tag_slug_name: '',
      status: row.status,
      show: post.show,
      began: 'answered',
    }
  }
}

/** An answer's text as it stands, whoever asks; null for an unknown number. */
export async function presentOf(ctx: ReadContext<Tables>, { n }: { n: number }): Promise<PresentText | null> {
  const row = await ctx.db
    .selectFrom('answers__answer as a')
    .innerJoin('answers__text as t', 't.answer_id', 'a.id')
    .select(['a.accepted', 't.content', 't.html', 't.version'])
    .where('a.id', '=', n)
    .executeTakeFirst()
  if (!row) return null
  return {
    text: { title: '', content: row.content, tags: [], slug_name: '' },
    html: row.html,
    version: row.version,
    answerCount: 0,
    answerAccepted: row.accepted === 1,
  }
}

export async function fillPresent(ctx: ReadContext<Tables>, items: (ObjectName & { present: PresentText | null })[]): Promise<void> {
  for (const item of own(items)) item.present = await presentOf(ctx, item)
}

/** Older texts of answers as `answer/info` sends an answer. */
export async function fillContents(
  ctx: ReadContext<Tables>,
  items: (ObjectName & { text: RevisionText; content: unknown })[],
): Promise<void> {
  const answers = own(items)
  if (answers.length === 0) return
  const rows = await ctx.db.selectFrom('answers__answer').select(answerColumns).where('id', 'in', numbers(answers)).execute()
  const byNumber = new Map(rows.map((row) => [row.id, row]))
  const ids = await publicIds(ctx)
  for (const item of answers) {
    const row = byNumber.get(item.n)
    if (!row) continue
    item.content = {
      id: ids.answer(row.id),
      experience_id: ids.experience(row.experience),
      content: item.text.content,
      html: '',
      create_time: row.created_at,
      update_time: row.updated_at,
      accepted: row.accepted ? 2 : 1,
      collected: false,
      vote_status: '',
      vote_count: row.vote_count,
      status: row.status,
      member_actions: [],
    }
  }
}

/** Answers in the timeline of their post. */
export async function fillLines(ctx: ReadContext<Tables>, items: (ObjectName & { limit: number; lines: TimelineLine[] })[]): Promise<void> {
  for (const item of items.filter(({ kind }) => kind === 'experience')) {
    const rows = await ctx.db
      .selectFrom('answers__answer')
      .select(['id', 'person_id', 'created_at'])
      .where('experience', '=', item.n)
      .where('status', '!=', answerStatus.pending)
      .orderBy('id', 'desc')
      .limit(item.limit)
      .execute()
    item.lines.push(
      ...rows.map((row) => ({
        kind: 'answer',
        n: row.id,
        type: 'answered' as const,
        id: row.id,
        at: row.created_at,
        personId: row.person_id,
        comment: '',
      })),
    )
  }
}
