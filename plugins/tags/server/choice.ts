import type { CodedError, Person } from '@stoa/sdk'
import { baseErrors, fieldErrors } from '@stoa/sdk'
import type { ServerContext } from '@stoa/sdk/server'
import type { PostDraft, TagChoice } from '../../experiences/shared/api.ts'
import type { Permissions, SiteSettings, Verdict } from '../../site/shared/api.ts'
import { isSlug, isTooLong, mostTags, slugOf } from './slug.ts'
import type { Tables } from './tables.ts'
import { tagStatus } from './tables.ts'
import type { TagRow } from './tag-rows.ts'
import { tagsById, tagsBySlug } from './tag-rows.ts'
import type { TagStore } from './tag-store.ts'

/** So many names are looked at: synonyms of one tag count once, but nobody names a thousand. */
const mostChoices = 50

interface ChoiceNeeds {
  ctx: ServerContext<Tables>
  permissions: Permissions
  settings: SiteSettings
  tags: Pick<TagStore, 'render'>
}

/** HTML of the texts of new tags, made before the transaction that stores them with their post. Lost where a plugin copies its choice; then it is made anew. */
export const renderedTexts = new WeakMap<TagChoice, string>()

/** A tag of a draft after its name was checked. `row` is its main tag; none for one that would be new. */
interface Chosen {
  slug: string
  choice: TagChoice
  row: TagRow | undefined
}

/** Checks the tags of a draft before it is published and replaces synonyms by their main tags. */
export function createChoice({ ctx, permissions, settings, tags: store }: ChoiceNeeds) {
  const resolve = async (choices: TagChoice[]): Promise<Chosen[]> => {
    const named = choices.map((choice) => ({ choice, slug: slugOf(choice.slug_name || choice.display_name || '') }))
    const rows = await tagsBySlug(
      ctx.db.query,
      named.map(({ slug }) => slug),
    )
    const mains = await tagsById(
      ctx.db.query,
      [...rows.values()].map((row) => row.main_id).filter((id) => id > 0),
    )
    const chosen = new Map<string, Chosen>()
    for (const { choice, slug } of named) {
      const found = rows.get(slug)
      const row = found && found.main_id > 0 ? (mains.get(found.main_id) ?? found) : found
      const live = row?.status === tagStatus.available ? row : undefined
      const key = live?.slug ?? slug
      if (!chosen.has(key)) chosen.set(key, { slug: key, choice, row: live })
    }
    return [...chosen.values()]
  }

  /** Names first: a wrong one is told before anything is looked up. */
  const checkNames = (choices: TagChoice[]): void => {
    for (const choice of choices) {
      const slug = slugOf(choice.slug_name || choice.display_name || '')
      const errors: Record<string, string> = {}
      if (isTooLong(slug)) errors.slug_name = 'tag.name_long'
      if (isTooLong(choice.display_name ?? '')) errors.display_name = 'tag.name_long'
      if (Object.keys(errors).length > 0) throw fieldErrors(errors)
      if (!isSlug(slug)) throw fieldErrors({ tags: 'tag.name_invalid' })
    }
  }

  /** Reserved tags are put on and taken off by staff only. */
  const checkReserved = async (draft: PostDraft, chosen: Chosen[], author: Person, reserved: Set<string>): Promise<void> => {
    if (reserved.size === 0 || (await permissions.may(author, 'tag.use_reserved_tag')).allowed) return
    const wanted = new Set(chosen.map(({ slug }) => slug).filter((slug) => reserved.has(slug)))
    const present = new Set<string>()
    if (draft.n !== undefined) {
      const rows = await ctx.db.query
        .selectFrom('tags__relation')
        .innerJoin('tags__tag', 'tags__tag.id', 'tags__relation.tag_id')
        .select('tags__tag.slug')
        .where('tags__relation.experience_id', '=', draft.n)
        .execute()
      for (const { slug } of rows) if (reserved.has(slug)) present.add(slug)
    }
    if (wanted.size !== present.size || [...wanted].some((slug) => !present.has(slug))) throw fieldErrors({ tags: 'tag.reserved' })
  }

  return async (draft: PostDraft, author: Person): Promise<PostDraft> => {
    const choices = draft.tags ?? []
    if (choices.length === 0) {
      if (await thereAreTags(ctx)) throw noTags(draft)
      return { ...draft, tags: [] }
    }
    if (choices.length > mostChoices) throw fieldErrors({ tags: 'tag.too_many' })
    checkNames(choices)
    const chosen = await resolve(choices)
    if (chosen.length > mostTags) throw fieldErrors({ tags: 'tag.too_many' })
    const write = await settings.get('write')
    await checkReserved(draft, chosen, author, new Set(write.reserved_tags.map((tag) => tag.slug_name)))
    const recommended = new Set(write.recommend_tags.map((tag) => tag.slug_name))
    if (write.required_tag && recommended.size > 0 && !chosen.some(({ slug }) => recommended.has(slug)))
      throw fieldErrors({ tags: 'tag.recommended_missing' })
    if (chosen.some(({ row }) => !row)) {
      const verdict = await permissions.may(author, 'tag.add')
      if (!verdict.allowed)
        throw mayNotCreate(
          chosen.filter(({ row }) => !row).map(({ slug }) => slug),
          verdict,
        )
    }
    const tags = chosen.map(({ slug, choice, row }) => ({
      slug_name: slug,
      display_name: row?.display_name ?? (choice.display_name?.trim() || slug),
      original_text: choice.original_text ?? '',
    }))
    for (const [index, tag] of tags.entries()) {
      if (!chosen[index]?.row) renderedTexts.set(tag, await store.render(tag.original_text))
    }
    return { ...draft, tags }
  }
}

/** Where there are none, newcomers would have nothing to choose from and may make nothing. */
const thereAreTags = async (ctx: ServerContext<Tables>): Promise<boolean> =>
  (await ctx.db.query
    .selectFrom('tags__tag')
    .select('id')
    .where('status', '=', tagStatus.available)
    .where('main_id', '=', 0)
    .limit(1)
    .executeTakeFirst()) !== undefined

/** Who left the tags out of a new post is told both: that the member is missing, and that it needs an entry. */
function noTags({ n, tags }: PostDraft): CodedError {
  const tooFew = { error_field: 'tags', error_msg: 'tag.required' }
  const isMissing = n === undefined && tags === null
  const errors = isMissing ? [{ error_field: 'tags', error_msg: 'validation.required' }, tooFew] : [tooFew]
  return baseErrors.request_format_error({ detail: 'tags' }, errors)
}

/** A form error whose text names the tags and the reputation that would be enough. */
function mayNotCreate(names: string[], { needed, rank = 0 }: Verdict): CodedError {
  const error_msg = needed > 0 ? 'tag.may_not_create' : 'tag.staff_create'
  return baseErrors.request_format_error({ detail: 'tags' }, [
    { error_field: 'tags', error_msg, params: { names: names.join(', '), needed, rank } },
  ])
}
