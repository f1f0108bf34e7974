import type { ReadContext } from '@stoa/sdk/server'
import { escapeHtml } from '@stoa/sdk/server'
import type { CommentedView } from '../../../comments/shared/api.ts'
import type { VotedObject } from '../../../votes/shared/api.ts'
import { postIds } from '../store/public-id.ts'
import { postRows } from '../store/rows.ts'
import type { Tables } from '../store/tables.ts'
import { mayView } from '../store/visibility.ts'

/** Fills a person's own votes on posts; a post they may not see any more stays empty. */
export async function fillOwnVotes(
  ctx: ReadContext<Tables>,
  votes: { kind: string; n: number; view: VotedObject | null }[],
): Promise<void> {
  const own = votes.filter((vote) => vote.kind === 'experience')
  const rows = await postRows(
    ctx.db,
    own.map(({ n }) => n),
  )
  const visible = rows.filter((row) => mayView(ctx.person, { authorId: row.author_id, status: row.status }))
  const byNumber = new Map(visible.map((row) => [row.id, row]))
  const toId = await postIds(ctx)
  for (const vote of own) {
    const row = byNumber.get(vote.n)
    if (!row) continue
    const { title, url_title, excerpt } = row
    const content = `<p>${escapeHtml(excerpt)}</p>`
    vote.view = { object_id: toId(vote.n), experience_id: toId(vote.n), answer_id: '', title, url_title, content }
  }
}

/** Fills the posts that somebody's comments stand below, directly or not. */
export async function fillOwnComments(ctx: ReadContext<Tables>, comments: { experience: number; view: CommentedView }[]): Promise<void> {
  const rows = await postRows(ctx.db, [...new Set(comments.map(({ experience }) => experience))])
  const byNumber = new Map(rows.map((row) => [row.id, row]))
  const toId = await postIds(ctx)
  for (const { experience, view } of comments) {
    const row = byNumber.get(experience)
    if (!row) continue
    view.experience_id = toId(row.id)
    view.title = row.title
    view.url_title = row.url_title
  }
}
