import type { RenderedTexts } from '../../site/shared/api.ts'
import type { Capabilities } from './capabilities.ts'

/** How answers are rendered. */
export const asAnswer = { profile: 'post', mentions: true } as const

/** Lets the HTML of answers be written anew. */
export function renderedAnswers({ ctx, markdown }: Pick<Capabilities, 'ctx' | 'markdown'>): RenderedTexts {
  return {
    kind: 'answer',
    options: asAnswer,
    page: (after, limit) =>
      ctx.db.query
        .selectFrom('answers__text')
        .select(['answer_id as n', 'content as source', 'html', 'excerpt'])
        .where('answer_id', '>', after)
        .orderBy('answer_id')
        .limit(limit)
        .execute(),
    async store({ n, source, html }) {
      await ctx.db.write((tx) =>
        tx
          .updateTable('answers__text')
          .set({ html, excerpt: markdown.excerpt(html) })
          .where('answer_id', '=', n)
          .where('content', '=', source)
          .execute(),
      )
    },
  }
}
