import type { ServerContext, Wanted } from '@stoa/sdk/server'
import { uniqueOr } from '@stoa/sdk/server'
import type { history } from '../../history/shared/api.ts'
import type { Markdown, Rendering, SiteSettings } from '../../site/shared/api.ts'
import type { ChangedMeanwhile } from '../shared/api.ts'
import { tagErrors, tagEvents } from '../shared/api.ts'
import { noSuchTag, tagRefusals } from './errors.ts'
import { changeOf, tagNamed, textOf } from './keep-history.ts'
import { followTag } from './owner-lists.ts'
import { asTag, describe } from './rendered-tags.ts'
import type { Tables } from './tables.ts'
import { tagStatus } from './tables.ts'
import type { TagRow } from './tag-rows.ts'
import { heldTags, tagById, tagsBySlug } from './tag-rows.ts'

export interface TagText {
  slug: string
  displayName: string
  /** Markdown; may be empty. */
  text: string
  /** What `render` made of the text, for who creates the tag inside a transaction. */
  parsed?: string | undefined
}

interface Capabilities {
  markdown: Markdown
  rendering: Rendering
  settings: SiteSettings
  history: Wanted<typeof history>
}

export interface RewriteOptions {
  editorId: number
  summary: string
  /** Version the edit was made from; undefined: whatever stands there. */
  base?: number | undefined
  /** Somebody else keeps the revision. */
  isRecorded?: boolean
}

export type TagStore = ReturnType<typeof createTagStore>

/** Two may have been told at once that a name is free. */
const orTaken =
  (slug: string) =>
  (error: unknown): never => {
    throw uniqueOr(error, { 'tags__tag.slug': () => tagErrors.already_exist({ name: slug }) })
  }

/** Rows of tags. */
export function createTagStore(ctx: ServerContext<Tables>, { markdown, rendering, settings, history }: Capabilities) {
  const render = async (text: string): Promise<string> => (text.trim() === '' ? '' : await rendering.render(text, asTag))
  const columns = ({ slug, displayName, text }: TagText, parsed: string) => {
    return {
      slug,
      display_name: displayName || slug,
      display_lower: (displayName || slug).toLowerCase(),
      original_text: text,
      parsed_text: parsed,
      description: describe(markdown, parsed),
      updated_at: ctx.now(),
    }
  }

  const rowAt = async (id: number, base?: number): Promise<TagRow> => {
    const row = await tagById(ctx.db.query, id)
    if (!row) throw noSuchTag(id)
    if (base === undefined || base === row.version) return row
    const { version, slug, display_name, original_text } = row
    const data: ChangedMeanwhile = { version, slug_name: slug, display_name, original_text }
    throw tagRefusals.changed_meanwhile({ name: slug }, data)
  }

  return {
    /** HTML of a tag's text; before the transaction that stores it. */
    render,

    /**
     * @returns the id of the new tag; a deleted one of this name comes back with the new text
     * @throws `error.tag.already_exist`
     */
    async create(tag: TagText, personId: number): Promise<number> {
      const values = columns(tag, tag.parsed ?? (await render(tag.text)))
      const creating = ctx.db.write(async (tx) => {
        const old = await heldTags(tx, ctx.db.dialect).where('slug', '=', tag.slug).executeTakeFirst()
        if (old && old.status === tagStatus.available) throw tagErrors.already_exist({ name: tag.slug })
        if (old)
          await tx
            .updateTable('tags__tag')
            .set((eb) => ({ ...values, status: tagStatus.available, main_id: 0, version: eb('version', '+', 1) }))
            .where('id', '=', old.id)
            .execute()
        const id =
          old?.id ??
          (
            await tx
              .insertInto('tags__tag')
              .values({ ...values, author_id: personId, created_at: ctx.now() })
              .returning('id')
              .executeTakeFirstOrThrow()
          ).id
        const row = { id, author_id: personId, created_at: ctx.now(), ...values }
        if (old) await history.current?.note({ ...tagNamed(id), type: 'undeleted', personId })
        await history.current?.record({ ...changeOf(old ?? row, personId, ''), before: old ? textOf(old) : null, after: textOf(row) })
        await ctx.emit(tagEvents.changed, { n: id })
        return id
      })
      return creating.catch(orTaken(tag.slug))
    },

    /** The row as it is. @throws `error.tag.changed_meanwhile` when it has another version than `base` */
    rowAt,

    /**
     * Everything that comes before the transaction of an edit. @returns what stores it, in the caller's transaction if there is one
     * @throws `error.tag.already_exist` when another tag has the new name, `error.tag.changed_meanwhile`
     */
    async prepareRewrite(id: number, tag: TagText, { editorId, summary, base, isRecorded }: RewriteOptions): Promise<() => Promise<void>> {
      await rowAt(id, base)
      const values = columns(tag, await render(tag.text))
      return () =>
        ctx.db.write(async (tx) => {
          const store = async (): Promise<TagRow> => {
            const row = await rowAt(id, base)
            if (tag.slug !== row.slug && (await tagsBySlug(tx, [tag.slug])).size > 0) throw tagErrors.already_exist({ name: tag.slug })
            const { numUpdatedRows } = await tx
              .updateTable('tags__tag')
              .set({ ...values, version: row.version + 1 })
              .where('id', '=', id)
              .where('version', '=', row.version)
              .executeTakeFirst()
              .catch(orTaken(tag.slug))
            return numUpdatedRows > 0n ? row : store()
          }
          const before = await store()
          await followTag(settings, before.slug, tag)
          if (!isRecorded)
            await history.current?.record({
              ...changeOf(before, editorId, summary),
              before: textOf(before),
              after: textOf({ ...before, ...values }),
            })
          await ctx.emit(tagEvents.changed, { n: id })
        })
    },

    /** @param row as it is held in the caller's transaction */
    async setStatus(row: TagRow, status: number): Promise<void> {
      await ctx.db.write(async (tx) => {
        await tx.updateTable('tags__tag').set({ status, updated_at: ctx.now() }).where('id', '=', row.id).execute()
        if (status === tagStatus.deleted) await followTag(settings, row.slug, null)
        if (status !== row.status) {
          const type = status === tagStatus.deleted ? 'deleted' : 'undeleted'
          await history.current?.note({ ...tagNamed(row.id), type, personId: ctx.host.request()?.person?.id ?? 0 })
        }
        await ctx.emit(tagEvents.changed, { n: row.id })
      })
    },
  }
}
