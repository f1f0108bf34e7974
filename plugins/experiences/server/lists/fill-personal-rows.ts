import type { ReadContext } from '@stoa/sdk/server'
import { escapeHtml, isStaff } from '@stoa/sdk/server'
import type { RawBuilder } from 'kysely'
import type { RewardedObject } from '../../../accounts/shared/api.ts'
import { nobody, personCards } from '../../../accounts/shared/api.ts'
import type { Bookmarked } from '../../../bookmarks/shared/api.ts'
import type { CommentedView } from '../../../comments/shared/api.ts'
import type { VotedObject } from '../../../votes/shared/api.ts'
import type { ExperienceListItem } from '../../shared/api.ts'
import { postIds } from '../store/public-id.ts'
import type { PostRow } from '../store/rows.ts'
import { postRows } from '../store/rows.ts'
import type { Tables } from '../store/tables.ts'
import { mayView, visibleIds } from '../store/visibility.ts'
import { listItems } from './list-item.ts'

/** Fills a person's own votes on posts; a post they may not see any more stays empty. */
export async function fillOwnVotes(
  ctx: ReadContext<Tables>,
  votes: { kind: string; n: number; view: VotedObject | null }[],
): Promise<void> {
  await fillPosts(ctx, votes, () => true)
}

/** Fills posts that brought somebody reputation; those that stand in no list are named to their authors and to staff alone. */
export async function fillRewarded(
  ctx: ReadContext<Tables>,
  items: { kind: string; n: number; view: RewardedObject | null }[],
): Promise<void> {
  await fillPosts(ctx, items, (row) => row.show === 1 || isStaff(ctx.person) || row.author_id === ctx.person?.id)
}

async function fillPosts(
  ctx: ReadContext<Tables>,
  items: { kind: string; n: number; view: VotedObject | null }[],
  isNamed: (row: PostRow) => boolean,
): Promise<void> {
  const own = items.filter((item) => item.kind === 'experience')
  const rows = await postRows(
    ctx.db,
    own.map(({ n }) => n),
  )
  const visible = rows.filter((row) => mayView(ctx.person, { authorId: row.author_id, status: row.status }))
  const byNumber = new Map(visible.filter(isNamed).map((row) => [row.id, row]))
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

/** Fills a person's own bookmarks of posts; a post they may not see any more stays empty. */
export async function fillOwnBookmarks(
  ctx: ReadContext<Tables>,
  bookmarks: { kind: string; n: number; view: Bookmarked | null }[],
): Promise<void> {
  const own = bookmarks.filter((bookmark) => bookmark.kind === 'experience')
  const rows = await postRows(
    ctx.db,
    own.map(({ n }) => n),
  )
  const visible = rows.filter((row) => mayView(ctx.person, { authorId: row.author_id, status: row.status }))
  const items = await listItems(ctx, visible)
  const authors = await ctx.call(personCards, { ids: [...new Set(visible.map((row) => row.author_id))] })
  const views = new Map(
    visible.map((row, index) => {
      const { created_at, operated_at: _, operator: __, operation_type: ___, ...item } = items[index] as ExperienceListItem
      const view: Bookmarked = {
        ...item,
        content: '',
        html: '',
        description: '',
        create_time: created_at,
        update_time: row.active_at,
        edit_time: row.edited_at,
        user_info: authors[row.author_id] ?? nobody(row.author_id),
        answered: false,
        first_answer_id: '',
        collected: true,
        vote_status: '',
        is_followed: false,
        member_actions: null,
        extends_actions: null,
      }
      return [row.id, view]
    }),
  )
  for (const bookmark of own) bookmark.view = views.get(bookmark.n) ?? null
}

/** The posts that {@link fillOwnVotes} and {@link fillOwnBookmarks} fill. */
export const shownPosts = async (ctx: ReadContext, { kind }: { kind: string }): Promise<RawBuilder<number> | undefined> =>
  kind === 'experience' ? visibleIds(ctx.person, false) : undefined

/** The posts that {@link fillRewarded} fills. */
export const rewardedPosts = async (ctx: ReadContext, { kind }: { kind: string }): Promise<RawBuilder<number> | undefined> =>
  kind === 'experience' ? visibleIds(ctx.person, true) : undefined
