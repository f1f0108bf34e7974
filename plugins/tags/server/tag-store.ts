import type { ServerContext } from '@stoa/sdk/server'
import { uniqueOr } from '@stoa/sdk/server'
import type { Markdown, SiteSettings } from '../../site/shared/api.ts'
import { tagErrors, tagEvents } from '../shared/api.ts'
import { followTag } from './owner-lists.ts'
import type { Tables } from './tables.ts'
import { tagStatus } from './tables.ts'
import type { TagRow } from './tag-rows.ts'
import { tagsBySlug } from './tag-rows.ts'

export interface TagText {
  slug: string
  displayName: string
  /** Markdown; may be empty. */
  text: string
}

export type TagStore = ReturnType<typeof createTagStore>

/** Rows of tags. */
/** Two may have been told at once that a name is free. */
const orTaken =
  (slug: string) =>
  (error: unknown): never => {
    throw uniqueOr(error, { 'tags__tag.slug': () => tagErrors.already_exist({ name: slug }) })
  }

export function createTagStore(ctx: ServerContext<Tables>, markdown: Markdown, settings: SiteSettings) {
  const columns = ({ slug, displayName, text }: TagText) => {
    const parsed = text.trim() === '' ? '' : markdown.render(text, { profile: 'post' })
    return {
      slug,
      display_name: displayName || slug,
      display_lower: (displayName || slug).toLowerCase(),
      original_text: text,
      parsed_text: parsed,
      description: parsed === '' ? '' : markdown.excerpt(parsed, 240),
      updated_at: ctx.now(),
    }
  }

  return {
    /**
     * @returns the id of the new tag; a deleted one of this name comes back with the new text
     * @throws `error.tag.already_exist`
     */
    async create(tag: TagText, personId: number): Promise<number> {
      const creating = ctx.db.write(async (tx) => {
        const old = (await tagsBySlug(tx, [tag.slug])).get(tag.slug)
        if (old && old.status === tagStatus.available) throw tagErrors.already_exist({ name: tag.slug })
        if (old)
          await tx
            .updateTable('tags__tag')
            .set({ ...columns(tag), status: tagStatus.available, main_id: 0 })
            .where('id', '=', old.id)
            .execute()
        const id =
          old?.id ??
          (
            await tx
              .insertInto('tags__tag')
              .values({ ...columns(tag), author_id: personId, created_at: ctx.now() })
              .returning('id')
              .executeTakeFirstOrThrow()
          ).id
        await ctx.emit(tagEvents.changed, { n: id })
        return id
      })
      return creating.catch(orTaken(tag.slug))
    },

    /** @throws `error.tag.already_exist` when another tag has the new name */
    async rewrite(row: TagRow, tag: TagText): Promise<void> {
      if (row.slug === tag.slug && row.display_name === tag.displayName && row.original_text === tag.text) return
      await ctx.db.write(async (tx) => {
        if (tag.slug !== row.slug && (await tagsBySlug(tx, [tag.slug])).size > 0) throw tagErrors.already_exist({ name: tag.slug })
        await tx.updateTable('tags__tag').set(columns(tag)).where('id', '=', row.id).execute().catch(orTaken(tag.slug))
        await followTag(settings, row.slug, tag)
        await ctx.emit(tagEvents.changed, { n: row.id })
      })
    },

    async setStatus(row: TagRow, status: number): Promise<void> {
      await ctx.db.write(async (tx) => {
        await tx.updateTable('tags__tag').set({ status, updated_at: ctx.now() }).where('id', '=', row.id).execute()
        if (status === tagStatus.deleted) await followTag(settings, row.slug, null)
        await ctx.emit(tagEvents.changed, { n: row.id })
      })
    },
  }
}
