import type { ServerContext } from '@stoa/sdk/server'
import { accountHooks } from '../../accounts/shared/api.ts'
import { answerCards, answerEvents, answerHooks } from '../../answers/shared/api.ts'
import { experienceCards, experienceEvents, experienceHooks } from '../../experiences/shared/api.ts'
import type { Capabilities } from './capabilities.ts'
import type { Tables } from './tables.ts'
import { commentColumns, commentStatus } from './tables.ts'
import { removeComment } from './write-comment.ts'

const BATCH = 500

/** Keeps what profiles may show true to the posts above, and removes what its author's deletion takes along. */
export function followObjects(capabilities: Capabilities): void {
  const { ctx } = capabilities
  ctx.on(experienceHooks.listingChanged, ({ n, listed }) => setListed(ctx, [n], listed))
  ctx.on(answerHooks.shownChanged, ({ n, shown }) => setShown(ctx, [n], shown))
  // Each change came through a hook; only those that happened while this plugin was off are looked up.
  ctx.on(experienceEvents.changed, () => undefined, { name: 'posts', whileOff: 'resync', resync: () => lookUpPosts(ctx) })
  ctx.on(answerEvents.changed, () => undefined, { name: 'answers', whileOff: 'resync', resync: () => lookUpAnswers(ctx) })
  ctx.on(accountHooks.removeContent, async (personId) => {
    const rows = await ctx.db.query
      .selectFrom('comments__comment')
      .select(commentColumns)
      .where('person_id', '=', personId)
      .where('status', '=', commentStatus.available)
      .execute()
    for (const row of rows) await removeComment(capabilities, row)
  })
}

async function setListed(ctx: ServerContext<Tables>, posts: number[], listed: boolean): Promise<void> {
  if (posts.length === 0) return
  await ctx.db.write((tx) =>
    tx
      .updateTable('comments__comment')
      .set({ post_listed: Number(listed) })
      .where('experience', 'in', posts)
      .where('post_listed', '!=', Number(listed))
      .execute(),
  )
}

async function setShown(ctx: ServerContext<Tables>, answers: number[], shown: boolean): Promise<void> {
  if (answers.length === 0) return
  await ctx.db.write((tx) =>
    tx
      .updateTable('comments__comment')
      .set({ object_shown: Number(shown) })
      .where('object_kind', '=', 'answer')
      .where('object_n', 'in', answers)
      .where('object_shown', '!=', Number(shown))
      .execute(),
  )
}

async function lookUpPosts(ctx: ServerContext<Tables>): Promise<void> {
  for (let after = 0; !ctx.signal.aborted; ) {
    const rows = await ctx.db.query
      .selectFrom('comments__comment')
      .select('experience')
      .distinct()
      .where('experience', '>', after)
      .orderBy('experience')
      .limit(BATCH)
      .execute()
    const ns = rows.map((row) => row.experience)
    const last = ns.at(-1)
    if (last === undefined) return
    after = last
    const posts = await ctx.read(experienceCards, { ns }).catch(() => undefined)
    if (!posts) return
    const isListed = (n: number) => posts[n]?.show === 1 && posts[n].status <= 2
    await setListed(ctx, ns.filter(isListed), true)
    await setListed(
      ctx,
      ns.filter((n) => !isListed(n)),
      false,
    )
  }
}

async function lookUpAnswers(ctx: ServerContext<Tables>): Promise<void> {
  for (let after = 0; !ctx.signal.aborted; ) {
    const rows = await ctx.db.query
      .selectFrom('comments__comment')
      .select('object_n')
      .distinct()
      .where('object_kind', '=', 'answer')
      .where('object_n', '>', after)
      .orderBy('object_n')
      .limit(BATCH)
      .execute()
    const ns = rows.map((row) => row.object_n)
    const last = ns.at(-1)
    if (last === undefined) return
    after = last
    const answers = await ctx.read(answerCards, { ns }).catch(() => undefined)
    if (!answers) return
    const isShown = (n: number) => answers[n]?.status === 1
    await setShown(ctx, ns.filter(isShown), true)
    await setShown(
      ctx,
      ns.filter((n) => !isShown(n)),
      false,
    )
  }
}
