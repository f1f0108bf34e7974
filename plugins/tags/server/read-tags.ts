import { CodedError, isStaff, rowsOfPage } from '@stoa/sdk'
import type { ReadContext } from '@stoa/sdk/server'
import { followed, followedNumbers } from '../../follows/shared/api.ts'
import { takesSuggestions } from '../../history/shared/api.ts'
import type { SearchCompletion } from '../../search/shared/api.ts'
import { permissionVerdicts } from '../../site/shared/api.ts'
import { tagErrors } from '../shared/api.ts'
import { noSuchTag } from './errors.ts'
import type { BasicTag, TagItem, TagQuery, TagsQuery } from './read-tokens.ts'
import { slugOf } from './slug.ts'
import type { Tables } from './tables.ts'
import { tagStatus } from './tables.ts'
import type { TagMarks } from './tag-marks.ts'
import { tagMarks } from './tag-marks.ts'
import type { TagRow } from './tag-rows.ts'
import { tagById, tagColumns, tagsById, tagsBySlug } from './tag-rows.ts'

const suggestions = 20
/** Tags in the list of those that somebody follows. */
const MOST_FOLLOWED = 200
const like = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\\%_]/g, '')
const basic = (row: { slug: string; display_name: string }, marks: TagMarks): BasicTag => ({
  slug_name: row.slug,
  display_name: row.display_name,
  ...marks.of(row.slug),
})

function described(ctx: ReadContext, row: TagRow, marks: TagMarks): TagItem {
  return {
    tag_id: ctx.ids.encode('tag', row.id),
    slug_name: row.slug,
    display_name: row.display_name,
    excerpt: row.parsed_text.split('\n')[0] ?? '',
    description: row.description,
    original_text: row.original_text,
    parsed_text: row.parsed_text,
    follow_count: row.follow_count,
    experience_count: row.experience_count,
    is_follower: false,
    created_at: row.created_at,
    updated_at: row.updated_at,
    ...marks.of(row.slug),
  }
}

/** Tags with whether the person who asks follows them. */
async function withFollower(ctx: ReadContext, rows: readonly TagRow[], marks: TagMarks): Promise<TagItem[]> {
  const items = rows.map((row) => ({ kind: 'tag', n: row.id, authorId: row.author_id, view: { is_followed: false } }))
  await ctx.decorate(followed, items)
  return rows.map((row, index) => ({ ...described(ctx, row, marks), is_follower: items[index]?.view.is_followed === true }))
}

/** `tags/following`: by name; nothing while nobody can follow. */
export async function followedTags(ctx: ReadContext<Tables>) {
  const ns = await ctx.read(followedNumbers, { kind: 'tag', limit: MOST_FOLLOWED }, { otherwise: [] })
  const rows = [...(await tagsById(ctx.db, ns)).values()].filter((row) => row.status === tagStatus.available)
  const marks = await tagMarks(ctx)
  return rows
    .sort((a, b) => (a.slug < b.slug ? -1 : 1))
    .map((row) => ({ tag_id: ctx.ids.encode('tag', row.id), ...basic(row, marks), main_tag_slug_name: '' }))
}

/** `tags/page`: main tags; a filter also finds synonyms, which lead to their main tag. */
export async function tagsPage(ctx: ReadContext<Tables>, query: TagsQuery) {
  const base = () => {
    let tags = ctx.db.selectFrom('tags__tag').where('main_id', '=', 0).where('status', '=', tagStatus.available)
    const slug = like(query.slug_name ?? '')
    if (slug) {
      const pattern = `%${slug}%`
      tags = tags.where((eb) =>
        eb.or([
          eb('slug', 'like', pattern),
          eb('display_lower', 'like', pattern),
          eb(
            'id',
            'in',
            eb
              .selectFrom('tags__tag as synonym')
              .select('synonym.main_id')
              .where('synonym.main_id', '>', 0)
              .where('synonym.slug', 'like', pattern),
          ),
        ]),
      )
    }
    const name = like(query.display_name ?? '')
    return name ? tags.where('display_lower', 'like', `%${name}%`) : tags
  }
  const { count: found } = await base()
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const count = Number(found)
  const { size, offset } = rowsOfPage(query)
  if (count > 0 && offset >= count) throw new CodedError('base.request_format_error', { status: 404, message: 'There is no such page' })
  const sorted = {
    popular: () => base().orderBy('experience_count', 'desc').orderBy('id', 'desc'),
    name: () => base().orderBy('slug'),
    newest: () => base().orderBy('created_at', 'desc').orderBy('id', 'desc'),
  }[query.query_cond ?? 'popular']()
  const rows = await sorted.select(tagColumns).limit(size).offset(offset).execute()
  const marks = await tagMarks(ctx)
  return { count, list: await withFollower(ctx, rows, marks) }
}

/** `tags?tags=a,b`, by name. */
export async function tagsByName(ctx: ReadContext<Tables>, { tags }: { tags: string }) {
  const slugs = [...new Set(tags.split(',').map(slugOf).filter(Boolean))].slice(0, 100)
  const rows = [...(await tagsBySlug(ctx.db, slugs)).values()].filter((row) => row.status === tagStatus.available)
  const marks = await tagMarks(ctx)
  return rows.sort((a, b) => (a.slug < b.slug ? -1 : 1)).map((row) => basic(row, marks))
}

/** `tag?id|name`. A name that is a synonym names its main tag; deleted tags are there for staff. */
export async function tagInfo(ctx: ReadContext<Tables>, { id, name }: TagQuery) {
  const decoded = id ? ctx.ids.decode(id) : null
  const slug = slugOf(name ?? '')
  const found =
    decoded?.kind === 'tag' ? await tagById(ctx.db, decoded.n) : !id && slug ? (await tagsBySlug(ctx.db, [slug])).get(slug) : undefined
  if (!found || (found.status === tagStatus.deleted && !isStaff(ctx.person))) throw tagErrors.not_found({ name: name ?? id })
  const main = found.main_id > 0 ? await tagById(ctx.db, found.main_id) : undefined
  const row = (!id && main) || found
  const [view] = await withFollower(ctx, [row], await tagMarks(ctx))
  return {
    ...(view as TagItem),
    status: row.status === tagStatus.deleted ? 'deleted' : 'available',
    member_actions: await memberActions(ctx, row),
    main_tag_slug_name: main?.slug ?? '',
    version: row.version,
  }
}

async function memberActions(ctx: ReadContext<Tables>, row: TagRow) {
  if (ctx.person?.state !== 'normal') return []
  const verdicts = await ctx.call(permissionVerdicts, { actions: ['tag.edit', 'tag.edit_without_review', 'tag.delete', 'tag.undeleted'] })
  const may = (action: string) => verdicts[`tag.${action}`]?.allowed === true
  const maySuggest = may('edit') && (await ctx.read(takesSuggestions, {}, { otherwise: false }))
  const isDeleted = row.status === tagStatus.deleted
  const offered: [string, string, boolean][] = [
    ['edit', 'edit', !isDeleted && (may('edit_without_review') || maySuggest)],
    ['delete', 'reason', !isDeleted && may('delete')],
    ['undelete', 'confirm', isDeleted && may('undeleted')],
  ]
  return offered.filter(([, , isOffered]) => isOffered).map(([action, type]) => ({ action, name: ctx.text(`tag.action.${action}`), type }))
}

/** `tag/synonyms`. */
export async function synonymsOf(ctx: ReadContext<Tables>, { tag_id }: { tag_id: string }) {
  const decoded = ctx.ids.decode(tag_id)
  const row = decoded?.kind === 'tag' ? await tagById(ctx.db, decoded.n) : undefined
  if (!row || (row.status === tagStatus.deleted && !isStaff(ctx.person))) throw noSuchTag(tag_id)
  const rows = await ctx.db
    .selectFrom('tags__tag')
    .select(['id', 'slug', 'display_name'])
    .where('main_id', '=', row.id)
    .where('status', '=', tagStatus.available)
    .orderBy('id')
    .execute()
  const verdicts = ctx.person ? await ctx.call(permissionVerdicts, { actions: ['tag.synonym'] }) : {}
  return {
    synonyms: rows.map((synonym) => ({
      tag_id: ctx.ids.encode('tag', synonym.id),
      slug_name: synonym.slug,
      display_name: synonym.display_name,
      main_tag_slug_name: row.slug,
    })),
    member_actions: verdicts['tag.synonym']?.allowed ? [{ action: 'edit', name: ctx.text('tag.action.edit'), type: 'edit' }] : [],
  }
}

/** Tags that what is typed into the search may mean. */
export async function completeTags(ctx: ReadContext<Tables>, typed: SearchCompletion[]): Promise<void> {
  for (const { text, options } of typed) {
    const found = await suggestTags(ctx, { tag: text.replace(/^\[|\]$/g, '') })
    for (const { slug_name, display_name } of found.slice(0, 4))
      options.push({ query: `[${slug_name}]`, name: display_name, path: `/tags/${encodeURIComponent(slug_name)}` })
  }
}

/**
 * `experience/tags`: names that begin so, most used first, then those with it inside; without a text the recommended ones. Reserved tags are
 * offered to staff only.
 */
export async function suggestTags(ctx: ReadContext<Tables>, { tag }: { tag: string }) {
  const marks = await tagMarks(ctx)
  const visible = <T extends { slug: string }>(rows: T[]) => rows.filter((row) => isStaff(ctx.person) || !marks.of(row.slug).reserved)
  const text = like(tag)
  if (text === '') {
    const rows = await tagsBySlug(ctx.db, marks.recommended)
    return visible(marks.recommended.flatMap((slug) => rows.get(slug) ?? []))
      .filter((row) => row.status === tagStatus.available)
      .map((row) => basic(row, marks))
  }
  const matching = (before: string) =>
    ctx.db
      .selectFrom('tags__tag')
      .select(['id', 'slug', 'display_name', 'main_id', 'experience_count'])
      .where('status', '=', tagStatus.available)
      .where((eb) => eb.or([eb('slug', 'like', `${before}${slugOf(text)}%`), eb('display_lower', 'like', `${before}${text}%`)]))
      .orderBy('experience_count', 'desc')
      .orderBy('slug')
      .limit(suggestions * 2)
      .execute()
  const beginning = await matching('')
  // Only where there is room: this one reads every tag.
  const rows = beginning.length < suggestions ? [...beginning, ...(await matching('%'))] : beginning
  const mains = await tagsById(
    ctx.db,
    rows.map((row) => row.main_id).filter((main) => main > 0),
  )
  const found = new Map(rows.map((row) => mains.get(row.main_id) ?? row).map((row) => [row.slug, row]))
  return visible([...found.values()])
    .slice(0, suggestions)
    .map((row) => basic(row, marks))
}
