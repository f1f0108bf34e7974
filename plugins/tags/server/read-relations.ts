import type { Decorated } from '@stoa/sdk'
import type { ReadContext } from '@stoa/sdk/server'
import { statement } from '@stoa/sdk/server'
import type { Kysely, RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { TagView } from '../../experiences/shared/api.ts'
import { inGroup } from '../../experiences/shared/api.ts'
import { GROUP } from './post-groups.ts'
import type { Tables } from './tables.ts'
import { tagMarks } from './tag-marks.ts'
import { tagById, tagsBySlug } from './tag-rows.ts'

const relations = statement((db: Kysely<Tables>, { experiences }: { experiences: readonly number[] }) =>
  db
    .selectFrom('tags__relation')
    .innerJoin('tags__tag', 'tags__tag.id', 'tags__relation.tag_id')
    .select(['tags__relation.experience_id', 'tags__tag.slug', 'tags__tag.display_name'])
    .where('tags__relation.experience_id', 'in', experiences)
    .orderBy('tags__relation.experience_id')
    .orderBy('tags__relation.position'),
)

/** Tags of a page of posts, in the order their authors gave them. One statement. */
export async function tagsOfPosts(
  ctx: ReadContext<Tables>,
  { experiences }: { experiences: number[] },
): Promise<Record<number, TagView[]>> {
  if (experiences.length === 0) return {}
  const rows = await relations(ctx.db, { experiences })
  const marks = await tagMarks(ctx)
  const views: Record<number, TagView[]> = {}
  for (const row of rows) {
    const list = views[row.experience_id] ?? []
    views[row.experience_id] = list
    list.push({ slug_name: row.slug, display_name: row.display_name, main_tag_slug_name: '', ...marks.of(row.slug) })
  }
  return views
}

/** Slugs of the tags of posts. */
export async function slugsOfPosts(ctx: ReadContext<Tables>, experiences: number[]): Promise<Map<number, string[]>> {
  const rows = experiences.length === 0 ? [] : await relations(ctx.db, { experiences })
  return new Map([...Map.groupBy(rows, (row) => row.experience_id)].map(([n, tags]) => [n, tags.map(({ slug }) => slug)]))
}

export async function fillTags(ctx: ReadContext<Tables>, items: Decorated<{ tags: TagView[] }>[]): Promise<void> {
  const views = await tagsOfPosts(ctx, { experiences: items.map((item) => item.n) })
  for (const item of items) item.view.tags = views[item.n] ?? []
}

/** Main tag for a name; a synonym leads to its main tag. */
export async function mainTag(ctx: ReadContext<Tables>, { slug }: { slug: string }): Promise<{ n: number; slug: string } | null> {
  const row = (await tagsBySlug(ctx.db, [slug.trim().toLowerCase()])).get(slug.trim().toLowerCase())
  if (row?.status !== 1) return null
  const main = row.main_id > 0 ? await tagById(ctx.db, row.main_id) : row
  return main ? { n: main.id, slug: main.slug } : null
}

type Narrowing = { tag?: string | undefined; like?: number | undefined; tags?: readonly number[] | undefined }

/** Posts of a tag, of any of some tags, or of the first tag of a post; an unknown tag has none. */
export async function narrowPosts(ctx: ReadContext<Tables>, { tag, like, tags }: Narrowing): Promise<RawBuilder<number> | undefined> {
  if (tag) return postsOf((await mainTag(ctx, { slug: tag }))?.n ?? 0)
  if (tags) return sql<number>`select experience_id from tags__relation where tag_id in (${sql.join(tags)}) and listed = 1`
  const [first] = like === undefined ? [] : await firstTag(ctx.db, { n: like })
  return first && postsOf(first.tag_id)
}

const postsOf = (tag: number) =>
  inGroup(GROUP, tag, sql<number>`select experience_id from tags__relation where tag_id = ${tag} and listed = 1`)

const firstTag = statement((db: Kysely<Tables>, { n }: { n: number }) =>
  db.selectFrom('tags__relation').select('tag_id').where('experience_id', '=', n).orderBy('position').limit(1),
)
