import type { ServerContext } from '@stoa/sdk/server'
import type { Markdown, RenderedTexts } from '../../../site/shared/api.ts'
import type { PostStore } from '../store/post-store.ts'
import type { Tables } from '../store/tables.ts'

/** How posts are rendered. */
export const asPost = { profile: 'post', mentions: true } as const

/** Lets the HTML of posts be written anew. */
export function createRenderedPosts(ctx: ServerContext<Tables>, store: Pick<PostStore, 'hold'>, markdown: Markdown): RenderedTexts {
  return {
    kind: 'experience',
    options: asPost,
    page: (after, limit) =>
      ctx.db.query
        .selectFrom('experiences__body as b')
        .innerJoin('experiences__post as p', 'p.id', 'b.post_id')
        .select(['b.post_id as n', 'b.content as source', 'b.html', 'p.excerpt'])
        .where('b.post_id', '>', after)
        .orderBy('b.post_id')
        .limit(limit)
        .execute(),
    store: ({ n, source, html }) =>
      ctx.db.write(async (tx) => {
        await store.hold(n)
        const { numUpdatedRows } = await tx
          .updateTable('experiences__body')
          .set({ html })
          .where('post_id', '=', n)
          .where('content', '=', source)
          .executeTakeFirst()
        if (numUpdatedRows === 0n) return
        await tx
          .updateTable('experiences__post')
          .set({ excerpt: markdown.excerpt(html, 240) })
          .where('id', '=', n)
          .execute()
      }),
  }
}
