import type { ServerContext, Wanted } from '@stoa/sdk/server'
import { escapeHtml, forUpdate, statement } from '@stoa/sdk/server'
import type { Kysely, Updateable } from 'kysely'
import type { People } from '../../../accounts/shared/api.ts'
import type { threads } from '../../../comments/shared/api.ts'
import type { HappeningType, history } from '../../../history/shared/api.ts'
import { touched } from '../../../search/shared/api.ts'
import { experienceEvents, experienceHooks, postStatus } from '../../shared/api.ts'
import type { Place } from './groups.ts'
import { movePost, placeColumns } from './groups.ts'
import { hotScore } from './hot-score.ts'
import { countLinksOf } from './link-store.ts'
import type { PostRow } from './rows.ts'
import { postColumns, postRow } from './rows.ts'
import type { PostTable, Tables } from './tables.ts'

export type PostChange = Updateable<PostTable>
export type PostStore = ReturnType<typeof createPostStore>

const counting = statement((db: Kysely<Tables>, { listed, open }: { listed: number; open: number }) =>
  db
    .updateTable('experiences__counter')
    .set((eb) => ({ listed: eb('listed', '+', listed), open: eb('open', '+', open), version: eb('version', '+', 1) }))
    .where('id', '=', 1),
)

const holding = statement((db: Kysely<Tables>, { ns }: { ns: readonly number[] }) =>
  db.selectFrom('experiences__post').select('id').where('id', 'in', ns).orderBy('id').$call(forUpdate('postgres')),
)

const addingTo = (column: 'follow_count' | 'collection_count') =>
  statement((db: Kysely<Tables>, { n, delta }: { n: number; delta: number }) =>
    db
      .updateTable('experiences__post')
      .set((eb) => ({ [column]: eb(column, '+', delta) }))
      .where('id', '=', n),
  )
const adding = { follow_count: addingTo('follow_count'), collection_count: addingTo('collection_count') }

/** Every change of a row goes through here: counters, heat, hooks and events stay right in the same transaction. */
export function createPostStore(
  ctx: ServerContext<Tables>,
  people: Pick<People, 'count'>,
  comments: Wanted<typeof threads>,
  timeline: Wanted<typeof history>,
) {
  const places = (tx: Kysely<Tables>, n: number) =>
    tx.selectFrom('experiences__post').select(placeColumns).where('id', '=', n).executeTakeFirst()

  /** The row, held against other writers until the transaction ends. SQLite has one writer anyway. */
  const locked = (tx: Kysely<Tables>, n: number): Promise<PostRow | undefined> =>
    tx.selectFrom('experiences__post').select(postColumns).where('id', '=', n).$call(forUpdate(ctx.db.dialect)).executeTakeFirst()

  /**
   * Adds to the sizes of the public lists. The version tells caches of counts that some list gained or lost a post. Behind what others store at the end,
   * such as the numbers of people: whoever holds this row waits for nobody.
   */
  const count = (listed: number, open: number): Promise<void> =>
    ctx.db.beforeCommit(() => ctx.db.beforeCommit(() => counting(ctx.db.query, { listed, open })))

  const heat = (row: PostRow) =>
    hotScore(
      {
        views: row.view_count,
        answers: row.answer_count,
        votes: row.vote_count,
        answerVotes: row.answer_votes,
        createdAt: row.created_at,
        updatedAt: row.active_at,
      },
      ctx.now(),
    )

  /** Tells the timeline what was done to the state of a post, by whom and why. */
  const noteState = async (tx: Kysely<Tables>, before: PostRow, after: PostRow): Promise<void> => {
    const type = happening(before, after)
    if (!type || !timeline.current) return
    const post = { kind: 'experience', n: after.id }
    const comment = type === 'closed' ? await closeReason(tx, after.id) : ''
    await timeline.current.note({ ...post, root: post, type, personId: ctx.host.request()?.person?.id ?? 0, comment })
  }

  /** Why a post was closed, as HTML. */
  const closeReason = async (tx: Kysely<Tables>, n: number): Promise<string> => {
    const body = await tx
      .selectFrom('experiences__body')
      .select(['close_type', 'close_message'])
      .where('post_id', '=', n)
      .executeTakeFirst()
    if (!body?.close_type) return ''
    const reason = ctx.host.texts.text(`experience.close_reason.${body.close_type}.name`)
    const message = escapeHtml(body.close_message)
    // Of a duplicate: the address of the original.
    const shown = /^https?:\/\/\S+$/.test(message) ? `<a href="${message}" rel="nofollow">${message}</a>` : message
    return [escapeHtml(reason), shown].filter(Boolean).join(': ')
  }

  return {
    find: (n: number): Promise<PostRow | undefined> => postRow(ctx.db.query, n),
    locked,

    /** Holds posts against other writers until the transaction ends, in the order of their numbers. SQLite has one writer anyway. */
    async hold(...ns: number[]): Promise<void> {
      if (ctx.db.dialect === 'sqlite' || ns.length === 0) return
      await holding(ctx.db.query, { ns })
    },

    count,
    heat,

    /** Adds to a number that no list sorts by and no index keeps, in the caller's transaction: nobody has to be told. */
    async add(n: number, column: 'follow_count' | 'collection_count', delta: number): Promise<void> {
      await adding[column](ctx.db.query, { n, delta })
    },

    /**
     * Changes a row. Tells `listingChanged` when the post entered or left the public lists.
     * @param values new values, or a function that makes them from the row as it is in this transaction
     */
    async change(n: number, values: PostChange | ((row: PostRow) => PostChange)): Promise<void> {
      await ctx.db.write(async (tx) => {
        const row = await locked(tx, n)
        const before = await places(tx, n)
        if (!before || !row) return
        const next = typeof values === 'function' ? values(row) : values
        await tx
          .updateTable('experiences__post')
          .set({ ...next, hot_score: heat({ ...row, ...next } as PostRow) })
          .where('id', '=', n)
          .execute()
        await noteState(tx, row, { ...row, ...next } as PostRow)
        const after = (await places(tx, n)) as Place
        await movePost(tx, n, before, after)
        const step = (key: 'tier' | 'open_tier') => Number(after[key] > 0) - Number(before[key] > 0)
        const isMoved = next.active_at !== undefined && next.active_at !== row.active_at
        if (step('tier') !== 0) {
          await people.count(row.author_id, 'experience_count', step('tier'))
          await countLinksOf(tx, n, step('tier'))
          await ctx.run(experienceHooks.listingChanged, { n, listed: after.tier > 0 })
          await comments.current?.show('experience', [n], after.tier > 0)
        }
        if (isMoved || step('tier') !== 0 || step('open_tier') !== 0) await count(step('tier'), step('open_tier'))
        await ctx.emit(experienceEvents.changed, { n })
        await ctx.emit(touched, { kind: 'experience', n })
      })
    },
  }
}

/** What a change of state is called in timelines; undefined when the state is the same. */
function happening(before: PostRow, after: PostRow): HappeningType | undefined {
  if (before.status !== after.status) {
    if (after.status === postStatus.deleted) return 'deleted'
    if (before.status === postStatus.deleted) return 'undeleted'
    if (after.status === postStatus.closed) return 'closed'
    return before.status === postStatus.closed ? 'reopened' : undefined
  }
  if (before.pin !== after.pin) return after.pin === 2 ? 'pin' : 'unpin'
  if (before.show !== after.show) return after.show === 2 ? 'hide' : 'show'
  return undefined
}
