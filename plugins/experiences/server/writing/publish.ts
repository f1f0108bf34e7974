import { isDeepStrictEqual } from 'node:util'
import type { Extensions, FieldError, Person } from '@stoa/sdk'
import { baseErrors, isCodedError } from '@stoa/sdk'
import type { ServerContext, Wanted } from '@stoa/sdk/server'
import { statement } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import type { People } from '../../../accounts/shared/api.ts'
import { personCards } from '../../../accounts/shared/api.ts'
import type { history, TextChange } from '../../../history/shared/api.ts'
import type { gate, Verdict } from '../../../review/shared/api.ts'
import { touched } from '../../../search/shared/api.ts'
import type { Markdown, Permissions, Rendering } from '../../../site/shared/api.ts'
import type { uploadedFiles } from '../../../uploads/shared/api.ts'
import { hasUploads } from '../../../uploads/shared/api.ts'
import type { ChangedMeanwhile, PostDraft } from '../../shared/api.ts'
import { experienceErrors, experienceEvents, experienceHooks, isListed, postBag, postStatus } from '../../shared/api.ts'
import { turnedInto } from '../../shared/turned-into.ts'
import { reads } from '../read-tokens.ts'
import { noteAct } from '../store/acts.ts'
import { extensionsIn, extensionsText } from '../store/extensions.ts'
import { setLinks } from '../store/link-store.ts'
import { linkedPosts } from '../store/links.ts'
import type { PostStore } from '../store/post-store.ts'
import type { PostRow } from '../store/rows.ts'
import type { Tables } from '../store/tables.ts'
import { postErrorsTable } from './errors.ts'
import { asPost } from './rendered-posts.ts'
import { countLinks, postErrors } from './text-rules.ts'

export interface PublishNeeds {
  ctx: ServerContext<Tables>
  store: PostStore
  permissions: Permissions
  markdown: Markdown
  rendering: Rendering
  people: People
  files: Wanted<typeof uploadedFiles>
  history: Wanted<typeof history>
  gate: Wanted<typeof gate>
}

export interface EditOptions {
  /** What was changed and why. */
  summary: string
  /** Version the edit was made from; undefined: whatever stands there. */
  base?: number | undefined
  /** Whose edit it is, when somebody else lets it pass. That somebody keeps the revision. */
  suggestedBy?: number
}

const freeLinks = 2

type NewPost = {
  status: number
  author_id: number
  created_at: number
  active_at: number
  title: string
  url_title: string
  excerpt: string
}
const storePost = statement((db: Kysely<Tables>, post: NewPost) => db.insertInto('experiences__post').values(post).returning('id'))
const storeBody = statement((db: Kysely<Tables>, body: { post_id: number; content: string; html: string; extensions: string }) =>
  db.insertInto('experiences__body').values(body),
)

/** Writing and rewriting of posts. */
export function createPublishing({ ctx, store, permissions, markdown, rendering, people, files, history, gate }: PublishNeeds) {
  /** Rules of text and links, then what other plugins say; all refusals in one form error. */
  const check = async (
    draft: PostDraft,
    author: Person,
    otherFields: Record<string, string> = {},
    stored: Extensions = {},
  ): Promise<PostDraft & { extensions: Extensions }> => {
    const { id, ...others } = otherFields
    const own: Record<string, string> = { ...(id && { id }), ...postErrors(draft.title, draft.content), ...others }
    if (!own.content && countLinks(draft.content) > freeLinks) {
      const verdict = await permissions.may(author, 'link.url_limit')
      if (!verdict.allowed) own.content = 'experience.too_many_links'
    }
    const errors: FieldError[] = Object.entries(own).map(([error_field, error_msg]) => ({ error_field, error_msg }))
    /** Adds what a step refuses to the rest. */
    const collecting = async <T>(step: Promise<T>, otherwise: T): Promise<T> => {
      try {
        return await step
      } catch (error) {
        if (!isCodedError(error) || error.status !== 400 || !Array.isArray(error.data)) throw error
        errors.push(...(error.data as FieldError[]))
        return otherwise
      }
    }
    const extensions = await collecting(ctx.bags.check(postBag, draft.extensions, stored, draft, author), stored)
    const whole = { ...draft, extensions }
    const checked = await collecting<PostDraft>(ctx.run(experienceHooks.beforePublish, whole, author), whole)
    if (errors.length > 0) throw baseErrors.request_format_error({ detail: errors.map((entry) => entry.error_field).join(', ') }, errors)
    return { ...checked, extensions: checked.extensions ?? extensions }
  }

  const render = async (draft: PostDraft) => {
    const html = await rendering.render(draft.content, asPost)
    return { html, excerpt: markdown.excerpt(html, 240), urlTitle: markdown.urlTitle(draft.title), links: linkedPosts(html, ctx.site.url) }
  }

  /** What reviewers say to a text; undefined while nobody asks them. */
  const ask = async ({ n, title, content, tags }: PostDraft, author: Person): Promise<Verdict | undefined> =>
    gate.current?.ask({ kind: 'experience', ...(n && { n }), title, content, tags: (tags ?? []).map((tag) => tag.slug_name) }, author)

  const storedExtensions = async (n: number): Promise<Extensions> => {
    const { extensions } = await ctx.db.query
      .selectFrom('experiences__body')
      .select('extensions')
      .where('post_id', '=', n)
      .executeTakeFirstOrThrow()
    return extensionsIn(extensions)
  }

  /** The text of a post. @throws `error.experience.changed_meanwhile` when it has another version than `base` */
  const presentAt = async ({ id }: PostRow, base?: number) => {
    const present = await ctx.read(reads.present, { n: id })
    if (!present) throw experienceErrors.not_found({ id })
    if (base === undefined || base === present.version) return present
    const by = (await store.find(id))?.editor_id ?? 0
    const { title, content, tags, extensions = {} } = present.text
    const data: ChangedMeanwhile = {
      version: present.version,
      title,
      content,
      tags,
      extensions: ctx.bags.shown(postBag, extensions),
      fields: ctx.bags.lines(postBag, extensions),
      editor: (await ctx.read(personCards, { ids: [by] }))[by]?.display_name ?? '',
    }
    throw postErrorsTable['experience.changed_meanwhile']({ id }, data)
  }

  return {
    check,

    /** Whether an edit that needs nobody's consent may be stored at once. @throws `error.review.edit_refused` where no suggestions are taken */
    async letsPass(row: PostRow, draft: PostDraft, editor: Person): Promise<boolean> {
      if (row.status === postStatus.pending) return true
      const verdict = await ask({ ...draft, n: row.id }, editor)
      if (!verdict || verdict.outcome === 'publish') return true
      if (!history.current) gate.current?.refuse(verdict)
      await history.current?.refuseWaiting({ kind: 'experience', n: row.id })
      return false
    },

    /** Everything that comes before the transaction. @returns what stores the post, in the caller's transaction if there is one, and its running number */
    async prepare(draft: PostDraft, author: Person, otherFields?: Record<string, string>): Promise<() => Promise<number>> {
      await permissions.require(author, 'experience.add')
      const checked = await check(draft, author, otherFields)
      await ctx.host.limit('experience.add', { key: author.id, max: 30, seconds: 600 })
      const now = ctx.now()
      const { html, excerpt, urlTitle, links } = await render(checked)
      const verdict = await ask(checked, author)
      const status = statusOf(verdict)
      const listed = status === postStatus.available
      const storing = async (tx: Kysely<Tables>): Promise<number> => {
        const row = { status, author_id: author.id, created_at: now, active_at: now, title: checked.title, url_title: urlTitle, excerpt }
        const [{ id: n }] = (await storePost(tx, row)) as [{ id: number }]
        await storeBody(tx, { post_id: n, content: checked.content, html, extensions: extensionsText(checked.extensions) })
        if (links.length > 0) await setLinks(ctx, n, 'text', links)
        if (hasUploads(html)) await files.current?.hold({ kind: 'experience', n, authorId: author.id }, html, listed)
        if (listed) await people.count(author.id, 'experience_count', 1)
        await ctx.run(experienceHooks.stored, { n, draft: checked, authorId: author.id, created: true, listed })
        await history.current?.record({
          ...changeOf({ id: n, author_id: author.id, created_at: now }, author.id, ''),
          before: null,
          after: { title: checked.title, content: checked.content, tags: tagsIn(checked), slug_name: '', extensions: checked.extensions },
        })
        if (listed) {
          await store.count(1, 1)
          await ctx.emit(experienceEvents.created, { n, authorId: author.id })
        }
        if (verdict && !listed) await gate.current?.keep({ kind: 'experience', n, authorId: author.id }, verdict)
        // By the site: its author does not bring it back.
        if (status === postStatus.deleted) await noteAct(ctx, tx, { id: n, author_id: author.id }, 'deleted', null)
        await ctx.emit(touched, { kind: 'experience', n })
        return n
      }
      return () => ctx.db.write(storing)
    },

    /**
     * Everything that comes before the transaction of an edit.
     * @param editor who lets it pass
     * @returns what stores it, in the caller's transaction if there is one: the new `url_title`, or an empty text when nothing changed
     * @throws `error.experience.changed_meanwhile` here and there, when the text has another version than `base`
     */
    async prepareEdit(row: PostRow, draft: PostDraft, editor: Person, options: EditOptions): Promise<() => Promise<string>> {
      const { summary, base, suggestedBy } = options
      const stored = await storedExtensions(row.id)
      // A suggestion holds the whole bag.
      const given = suggestedBy !== undefined && draft.extensions ? turnedInto(stored, draft.extensions) : draft.extensions
      const checked = await check({ ...draft, n: row.id, extensions: given }, editor, {}, stored)
      if (row.status === postStatus.deleted) throw experienceErrors.cannot_update({ id: row.id })
      if (base !== undefined) await presentAt(row, base)
      const extensions = extensionsText(checked.extensions)
      const { html, excerpt, urlTitle, links } = await render(checked)
      /** @returns what stood there before, and what of it is new */
      const storeBody = async (tx: Kysely<Tables>) => {
        for (;;) {
          const before = await presentAt(row, base)
          const isSameText =
            before.text.title === checked.title &&
            before.text.content === checked.content &&
            extensionsText(before.text.extensions ?? {}) === extensions
          const slugs = (tags: { slug_name: string }[]) => tags.map((tag) => tag.slug_name).join()
          if (isSameText && slugs(before.text.tags) === slugs(checked.tags ?? before.text.tags)) return { before, isSameText, isSame: true }
          const { numUpdatedRows } = await tx
            .updateTable('experiences__body')
            .set({ content: checked.content, html, extensions, version: before.version + 1 })
            .where('post_id', '=', row.id)
            .where('version', '=', before.version)
            .executeTakeFirst()
          if (numUpdatedRows > 0n) return { before, isSameText, isSame: false }
        }
      }
      return () =>
        ctx.db.write(async (tx) => {
          // Deleted or unlisted while this was checked and rendered, perhaps.
          const present = await store.locked(tx, row.id)
          if (!present || present.status === postStatus.deleted) throw experienceErrors.cannot_update({ id: row.id })
          const { before, isSameText, isSame } = await storeBody(tx)
          if (!isSameText) {
            await setLinks(ctx, row.id, 'text', links)
            await files.current?.hold({ kind: 'experience', n: row.id, authorId: row.author_id }, html, true)
          }
          if (!isSame) {
            const now = ctx.now()
            const editor_id = suggestedBy ?? editor.id
            await store.change(row.id, {
              ...(!isSameText && { title: checked.title, url_title: urlTitle, excerpt }),
              edited_at: now,
              active_at: now,
              editor_id,
            })
          }
          const listed = isListed(present)
          await ctx.run(experienceHooks.stored, { n: row.id, draft: checked, authorId: row.author_id, created: false, listed })
          if (!isSame && suggestedBy === undefined && history.current) {
            const { text } = await presentAt(row)
            await history.current.record({ ...changeOf(row, editor.id, summary), before: before.text, after: text })
          }
          await store.count(0, 0)
          await ctx.emit(experienceEvents.changed, { n: row.id })
          if (!isSame)
            await ctx.emit(experienceEvents.edited, { n: row.id, editorId: suggestedBy ?? editor.id, version: before.version + 1 })
          if (isSame) await ctx.emit(touched, { kind: 'experience', n: row.id })
          return isSameText ? '' : urlTitle
        })
    },

    /** Keeps an edit for review. @returns false when it changes nothing */
    async suggest(row: PostRow, draft: PostDraft, editor: Person, { summary, base }: EditOptions): Promise<boolean> {
      const checked = await check({ ...draft, n: row.id }, editor, {}, await storedExtensions(row.id))
      return ctx.db.write(async (tx) => {
        // Holds the text as it is until the suggestion names it.
        await tx
          .updateTable('experiences__body')
          .set((eb) => ({ version: eb.ref('version') }))
          .where('post_id', '=', row.id)
          .execute()
        const before = (await presentAt(row, base)).text
        const tags = draft.tags ? tagsIn(checked) : before.tags
        const after = { title: draft.title, content: draft.content, tags, slug_name: '', extensions: checked.extensions }
        if (isDeepStrictEqual(after, before)) return false
        await history.current?.suggest({ ...changeOf(row, editor.id, summary), before, after })
        return true
      })
    },
  }
}

/** What becomes of a new post. */
const statusOf = (verdict: Verdict | undefined): number =>
  ({ publish: postStatus.available, wait: postStatus.pending, reject: postStatus.deleted })[verdict?.outcome ?? 'publish']

/** What history is told of a change, beside the texts. */
const changeOf = (row: Pick<PostRow, 'id' | 'author_id' | 'created_at'>, editorId: number, summary: string) =>
  ({
    kind: 'experience',
    n: row.id,
    root: { kind: 'experience', n: row.id },
    editorId,
    summary,
    origin: { personId: row.author_id, at: row.created_at },
  }) satisfies Partial<TextChange>

const tagsIn = ({ tags }: PostDraft) => (tags ?? []).map(({ slug_name, display_name = '' }) => ({ slug_name, display_name }))
