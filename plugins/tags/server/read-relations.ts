import type { Decorated } from '@stoa/sdk'
import type { ReadContext } from '@stoa/sdk/server'
import { knownRows, statement } from '@stoa/sdk/server'
import type { Kysely, RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { TagView } from '../../experiences/shared/api.ts'
import { inGroup } from '../../experiences/shared/api.ts'
import { GROUP } from './post-groups.ts'
import type { Tables } from './tables.ts'
import { tagMarks } from './tag-marks.ts'
import type { TagRow } from './tag-rows.ts'
import { tagById, tagsBySlug } from './tag-rows.ts'

const numbersOf = statement((db: Kysely<Tables>, { experiences }: { experiences: readonly number[] }) =>
  db
    .selectFrom('tags__relation')
    .select(['experience_id', 'tag_id'])
    .where('experience_id', 'in', experiences)
    .orderBy('experience_id')
    .orderBy('position'),
)
const nameColumns = ['id', 'slug', 'display_name'] as const
type NameRow = Pick<TagRow, (typeof nameColumns)[number]>
const names = statement((db: Kysely<Tables>, { ids }: { ids: readonly number[] }) =>
  db.selectFrom('tags__tag').select(nameColumns).where('id', 'in', ids),
)

/** Most are known from other posts. */
const tagNames = (ctx: ReadContext<Tables>, tags: Iterable<number>): Promise<Map<number, NameRow>> =>
  knownRows<NameRow>(
    ctx,
    'tags.names',
    tags,
    async (missing) => (await names(ctx.db, { ids: missing })).map((row) => [row.id, row] as const),
    { table: 'tags__tag', columns: nameColumns },
  )

/** Tags of posts, in the order their authors gave them. */
async function relatedTags(ctx: ReadContext<Tables>, experiences: readonly number[]): Promise<Map<number, TagView[]>> {
  const related = new Map<number, TagView[]>()
  if (experiences.length === 0) return related
  const marks = await tagMarks(ctx)
  const pairs = await numbersOf(ctx.db, { experiences })
  const known = await tagNames(
    ctx,
    pairs.map((pair) => pair.tag_id),
  )
  for (const { experience_id, tag_id } of pairs) {
    const row = known.get(tag_id)
    if (!row) continue
    const tag = { slug_name: row.slug, display_name: row.display_name, main_tag_slug_name: '', ...marks.of(row.slug) }
    const list = related.get(experience_id)
    if (list) list.push(tag)
    else related.set(experience_id, [tag])
  }
  return related
}

/** Tags of a page of posts. */
export const tagsOfPosts = async (
  ctx: ReadContext<Tables>,
  { experiences }: { experiences: number[] },
): Promise<Record<number, TagView[]>> => Object.fromEntries(await relatedTags(ctx, experiences))

/** Slugs of the tags of posts. */
export async function slugsOfPosts(ctx: ReadContext<Tables>, experiences: number[]): Promise<Map<number, string[]>> {
  const related = await relatedTags(ctx, experiences)
  return new Map([...related].map(([n, tags]) => [n, tags.map(({ slug_name }) => slug_name)]))
}

export async function findTags(ctx: ReadContext<Tables>, items: readonly Decorated<{ tags: TagView[] }>[]): Promise<() => void> {
  const related = await relatedTags(
    ctx,
    items.map((item) => item.n),
  )
  return () => {
    for (const item of items) item.view.tags = related.get(item.n) ?? []
  }
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
