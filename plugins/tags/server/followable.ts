import type { ServerContext } from '@stoa/sdk/server'
import { statement } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import type { Followable } from '../../follows/shared/api.ts'
import { slugOf } from './slug.ts'
import type { Tables } from './tables.ts'
import { tagStatus } from './tables.ts'
import { tagById, tagsBySlug } from './tag-rows.ts'

const adding = statement((db: Kysely<Tables>, { n, delta }: { n: number; delta: number }) =>
  db
    .updateTable('tags__tag')
    .set((eb) => ({ follow_count: eb('follow_count', '+', delta) }))
    .where('id', '=', n),
)

/** Main tags can be followed; a synonym leads to its main tag. */
export function createFollowable(ctx: ServerContext<Tables>): Followable {
  return {
    kind: 'tag',
    async find(n) {
      const row = await tagById(ctx.db.query, n)
      return row?.status === tagStatus.available ? { n: row.main_id || row.id } : undefined
    },
    addFollowers: async (n, delta) => {
      await adding(ctx.db.query, { n, delta })
    },
    async named(names) {
      const slugs = [...new Set(names.map(slugOf))]
      const rows = await tagsBySlug(ctx.db.query, slugs)
      const known = slugs.filter((slug) => rows.get(slug)?.status === tagStatus.available)
      const ns = known.flatMap((slug) => rows.get(slug) ?? []).map((row) => row.main_id || row.id)
      return { ns: [...new Set(ns)], unknown: slugs.filter((slug) => !known.includes(slug)) }
    },
  }
}
