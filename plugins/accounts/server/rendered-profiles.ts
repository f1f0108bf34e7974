import type { ServerContext } from '@stoa/sdk/server'
import type { RenderedTexts } from '../../site/shared/api.ts'
import type { AccountTables } from './tables.ts'

/** How people's own words about themselves are rendered. */
export const asBio = { profile: 'basic' } as const

/** Lets the HTML of profiles be written anew. */
export function createRenderedProfiles(ctx: ServerContext<AccountTables>): RenderedTexts {
  return {
    kind: 'profile',
    options: asBio,
    page: (after, limit) =>
      ctx.db.query
        .selectFrom('accounts__profile')
        .select(['id as n', 'bio as source', 'bio_html as html'])
        .where('id', '>', after)
        .where('bio', '!=', '')
        .orderBy('id')
        .limit(limit)
        .execute(),
    async store({ n, source, html }) {
      await ctx.db.write((tx) =>
        tx.updateTable('accounts__profile').set({ bio_html: html }).where('id', '=', n).where('bio', '=', source).execute(),
      )
    },
  }
}
