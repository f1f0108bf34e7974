import type { ServerContext } from '@stoa/sdk/server'
import type { Markdown, RenderedTexts } from '../../site/shared/api.ts'
import type { Tables } from './tables.ts'

/** How texts of tags are rendered. */
export const asTag = { profile: 'post', mentions: true } as const

/** Line of plain text that lists show of a tag. */
export const describe = (markdown: Markdown, html: string): string => (html === '' ? '' : markdown.excerpt(html, 240))

/** Lets the HTML of tags be written anew. */
export function createRenderedTags(ctx: ServerContext<Tables>, markdown: Markdown): RenderedTexts {
  return {
    kind: 'tag',
    options: asTag,
    page: (after, limit) =>
      ctx.db.query
        .selectFrom('tags__tag')
        .select(['id as n', 'original_text as source', 'parsed_text as html', 'description as excerpt'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute(),
    async store({ n, source, html }) {
      await ctx.db.write((tx) =>
        tx
          .updateTable('tags__tag')
          .set({ parsed_text: html, description: describe(markdown, html) })
          .where('id', '=', n)
          .where('original_text', '=', source)
          .execute(),
      )
    },
  }
}
