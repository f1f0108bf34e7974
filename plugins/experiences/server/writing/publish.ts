import type { FieldError, Person } from '@stoa/sdk'
import { baseErrors, isCodedError } from '@stoa/sdk'
import type { ServerContext } from '@stoa/sdk/server'
import { statement } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import type { People } from '../../../accounts/shared/api.ts'
import { touched } from '../../../search/shared/api.ts'
import type { Markdown, Permissions } from '../../../site/shared/api.ts'
import type { PostDraft } from '../../shared/api.ts'
import { experienceErrors, experienceEvents, experienceHooks, postStatus } from '../../shared/api.ts'
import { copyColumn } from '../store/groups.ts'
import { linkedPosts, linkPostNumbers } from '../store/links.ts'
import type { PostStore } from '../store/post-store.ts'
import type { PostRow } from '../store/rows.ts'
import type { Tables } from '../store/tables.ts'
import { isListed } from '../store/visibility.ts'
import { countLinks, postErrors } from './text-rules.ts'

export interface PublishNeeds {
  ctx: ServerContext<Tables>
  store: PostStore
  permissions: Permissions
  markdown: Markdown
  people: People
}

const freeLinks = 2

type NewPost = { author_id: number; created_at: number; active_at: number; title: string; url_title: string; excerpt: string }
const storePost = statement((db: Kysely<Tables>, post: NewPost) => db.insertInto('experiences__post').values(post).returning('id'))
const storeBody = statement((db: Kysely<Tables>, body: { post_id: number; content: string; html: string }) =>
  db.insertInto('experiences__body').values(body),
)

/** Writing and rewriting of posts. */
export function createPublishing({ ctx, store, permissions, markdown, people }: PublishNeeds) {
  /** Rules of text and links, then what other plugins say; all refusals in one form error. */
  const check = async (draft: PostDraft, author: Person, otherFields: Record<string, string> = {}): Promise<PostDraft> => {
    const { id, ...others } = otherFields
    const own: Record<string, string> = { ...(id && { id }), ...postErrors(draft.title, draft.content), ...others }
    if (!own.content && countLinks(draft.content) > freeLinks) {
      const verdict = await permissions.may(author, 'link.url_limit')
      if (!verdict.allowed) own.content = 'experience.too_many_links'
    }
    const errors: FieldError[] = Object.entries(own).map(([error_field, error_msg]) => ({ error_field, error_msg }))
    let checked = draft
    try {
      checked = await ctx.run(experienceHooks.beforePublish, draft, author)
    } catch (error) {
      if (!isCodedError(error) || error.status !== 400 || !Array.isArray(error.data)) throw error
      errors.push(...(error.data as FieldError[]))
    }
    if (errors.length > 0) throw baseErrors.request_format_error({ detail: errors.map((entry) => entry.error_field).join(', ') }, errors)
    return checked
  }

  const prepare = (draft: PostDraft) => {
    const html = markdown.render(linkPostNumbers(draft.content), { profile: 'post', mentions: true })
    return { html, excerpt: markdown.excerpt(html, 240), urlTitle: markdown.urlTitle(draft.title), links: linkedPosts(html, ctx.site.url) }
  }

  /** Replaces what post `n` links to and counts it at both ends. */
  const storeLinks = async (n: number, links: number[]): Promise<void> => {
    await ctx.db.write(async (tx) => {
      const before = (await tx.selectFrom('experiences__link').select('to_post').where('from_post', '=', n).execute()).map(
        (row) => row.to_post,
      )
      const wanted = links.filter((to) => to !== n)
      const known =
        wanted.length === 0
          ? []
          : (await tx.selectFrom('experiences__post').select('id').where('id', 'in', wanted).execute()).map((row) => row.id)
      const added = known.filter((to) => !before.includes(to))
      const gone = before.filter((to) => !known.includes(to))
      if (gone.length > 0) await tx.deleteFrom('experiences__link').where('from_post', '=', n).where('to_post', 'in', gone).execute()
      if (added.length > 0)
        await tx
          .insertInto('experiences__link')
          .values(added.map((to) => ({ from_post: n, to_post: to })))
          .execute()
      for (const [ids, step] of [
        [added, 1],
        [gone, -1],
      ] as const) {
        if (ids.length === 0) continue
        await tx
          .updateTable('experiences__post')
          .set((eb) => ({ linked_count: eb('linked_count', '+', step) }))
          .where('id', 'in', ids)
          .execute()
        await copyColumn(tx, 'linked_count', ids)
      }
    })
  }

  return {
    check,

    /** @returns the running number of the new post */
    async create(draft: PostDraft, author: Person, otherFields?: Record<string, string>): Promise<number> {
      await permissions.require(author, 'experience.add')
      const checked = await check(draft, author, otherFields)
      await ctx.limit('experience.add', { key: author.id, max: 30, seconds: 600 })
      const now = ctx.now()
      const { html, excerpt, urlTitle, links } = prepare(checked)
      return ctx.db.write(async (tx) => {
        const row = { author_id: author.id, created_at: now, active_at: now, title: checked.title, url_title: urlTitle, excerpt }
        const [{ id: n }] = (await storePost(tx, row)) as [{ id: number }]
        await storeBody(tx, { post_id: n, content: checked.content, html })
        if (links.length > 0) await storeLinks(n, links)
        await people.count(author.id, 'experience_count', 1)
        await ctx.run(experienceHooks.stored, { n, draft: checked, authorId: author.id, created: true, listed: true })
        await store.count(1, 1)
        await ctx.emit(experienceEvents.created, { n, authorId: author.id })
        await ctx.emit(touched, { kind: 'experience', n })
        return n
      })
    },

    /** @returns the new `url_title`, or an empty text when nothing changed */
    async edit(row: PostRow, draft: PostDraft, editor: Person): Promise<string> {
      const checked = await check({ ...draft, n: row.id }, editor)
      const body = await ctx.db.query
        .selectFrom('experiences__body')
        .select('content')
        .where('post_id', '=', row.id)
        .executeTakeFirstOrThrow()
      if (row.status === postStatus.deleted) throw experienceErrors.cannot_update({ id: row.id })
      const { html, excerpt, urlTitle, links } = prepare(checked)
      const isSameText = row.title === checked.title && body.content === checked.content
      await ctx.db.write(async (tx) => {
        if (!isSameText) {
          const now = ctx.now()
          await tx.updateTable('experiences__body').set({ content: checked.content, html }).where('post_id', '=', row.id).execute()
          await storeLinks(row.id, links)
          await store.change(row.id, {
            title: checked.title,
            url_title: urlTitle,
            excerpt,
            edited_at: now,
            active_at: now,
            editor_id: editor.id,
          })
        }
        await ctx.run(experienceHooks.stored, { n: row.id, draft: checked, authorId: row.author_id, created: false, listed: isListed(row) })
        await store.count(0, 0)
        await ctx.emit(experienceEvents.changed, { n: row.id })
        if (isSameText) await ctx.emit(touched, { kind: 'experience', n: row.id })
      })
      return isSameText ? '' : urlTitle
    },
  }
}
