import type { RenderedTexts } from '../../site/shared/api.ts'
import type { Capabilities } from './capabilities.ts'

/** How comments are rendered. */
export const asComment = { profile: 'comment', mentions: true } as const

/** Lets the HTML of comments be written anew. */
export function renderedComments({ ctx }: Pick<Capabilities, 'ctx'>): RenderedTexts {
  return {
    kind: 'comment',
    options: asComment,
    page: (after, limit) =>
      ctx.db.query
        .selectFrom('comments__comment')
        .select(['id as n', 'original_text as source', 'parsed_text as html'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute(),
    async store({ n, source, html }) {
      await ctx.db.write((tx) =>
        tx.updateTable('comments__comment').set({ parsed_text: html }).where('id', '=', n).where('original_text', '=', source).execute(),
      )
    },
  }
}
