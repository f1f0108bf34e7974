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
import { tagById, tagsBySlug } from './tag-rows.ts'

const numbersOf = statement((db: Kysely<Tables>, { experiences }: { experiences: readonly number[] }) =>
  db
    .selectFrom('tags__relation')
    .select(['experience_id', 'tag_id'])
    .where('experience_id', 'in', experiences)
    .orderBy('experience_id')
    .orderBy('position'),
)
const names = statement((db: Kysely<Tables>, { ids }: { ids: readonly number[] }) =>
  db.selectFrom('tags__tag').select(['id', 'slug', 'display_name']).where('id', 'in', ids),
)
const namesOf = statement((db: Kysely<Tables>, { experiences }: { experiences: readonly number[] }) =>
  db
    .selectFrom('tags__relation')
    .innerJoin('tags__tag', 'tags__tag.id', 'tags__relation.tag_id')
    .select(['tags__relation.experience_id', 'tags__tag.slug', 'tags__tag.display_name'])
    .where('tags__relation.experience_id', 'in', experiences)
    .orderBy('tags__relation.experience_id')
    .orderBy('tags__relation.position'),
)

type Related = [experience: number, tag: TagView]

/** SQLite: names are known from other lists, and those that are not cost little to ask for. */
async function relatedByNumber(ctx: ReadContext<Tables>, experiences: readonly number[], viewOf: ViewOf): Promise<Related[]> {
  const pairs = await numbersOf(ctx.db, { experiences })
  const views = await knownRows<TagView>(
    ctx,
    'tags.views',
    pairs.map((pair) => pair.tag_id),
    async (missing) => (await names(ctx.db, { ids: missing })).map((row) => [row.id, viewOf(row)] as const),
  )
  return pairs.flatMap(({ experience_id, tag_id }): Related[] => {
    const view = views.get(tag_id)
    return view ? [[experience_id, view]] : []
  })
}

/** PostgreSQL: one statement, as each is a way to the server and back. */
const relatedByName = async (ctx: ReadContext<Tables>, experiences: readonly number[], viewOf: ViewOf): Promise<Related[]> =>
  (await namesOf(ctx.db, { experiences })).map((row) => [row.experience_id, viewOf(row)])

type ViewOf = (row: { slug: string; display_name: string }) => TagView

/** Tags of posts, in the order their authors gave them. */
async function relatedTags(ctx: ReadContext<Tables>, experiences: readonly number[]): Promise<Map<number, TagView[]>> {
  const related = new Map<number, TagView[]>()
  if (experiences.length === 0) return related
  const marks = await tagMarks(ctx)
  const viewOf: ViewOf = ({ slug, display_name }) => ({ slug_name: slug, display_name, main_tag_slug_name: '', ...marks.of(slug) })
  const read = ctx.dialect === 'sqlite' ? relatedByNumber : relatedByName
  for (const [experience, tag] of await read(ctx, experiences, viewOf)) {
    const list = related.get(experience)
    if (list) list.push(tag)
    else related.set(experience, [tag])
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

export async function fillTags(ctx: ReadContext<Tables>, items: Decorated<{ tags: TagView[] }>[]): Promise<void> {
  const related = await relatedTags(
    ctx,
    items.map((item) => item.n),
  )
  for (const item of items) item.view.tags = related.get(item.n) ?? []
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
