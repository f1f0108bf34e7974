import type { ServerContext } from '@stoa/sdk/server'
import type { Addresses } from '../../sitemap/shared/api.ts'
import type { Tables } from './tables.ts'
import { tagStatus } from './tables.ts'

/** Pages of tags that something is written under. */
export function createAddresses({ db }: Pick<ServerContext<Tables>, 'db'>): Addresses {
  return {
    name: 'tags',
    async last() {
      const row = await db.query.selectFrom('tags__tag').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
      return row?.id ?? 0
    },
    async between(after, upTo) {
      const rows = await db.query
        .selectFrom('tags__tag')
        .select(['slug', 'created_at', 'updated_at'])
        .where('id', '>', after)
        .where('id', '<=', upTo)
        .where('main_id', '=', 0)
        .where('status', '=', tagStatus.available)
        .where('experience_count', '>', 0)
        .orderBy('id')
        .execute()
      return rows.map(({ slug, created_at, updated_at }) => ({
        path: `/tags/${encodeURIComponent(slug)}`,
        changedAt: Math.max(created_at, updated_at),
      }))
    },
  }
}
