import { isDeepStrictEqual } from 'node:util'
import { fieldErrors } from '@stoa/sdk'
import type { Route, ServerContext, Wanted } from '@stoa/sdk/server'
import { route } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import type { AuditChange, staffLog } from '../../audit/shared/api.ts'
import type { follows } from '../../follows/shared/api.ts'
import type { history } from '../../history/shared/api.ts'
import type { Permissions, SiteSettings } from '../../site/shared/api.ts'
import { tagCalls } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import { requireEdit } from './edit-tag.ts'
import { noSuchTag, tagRefusals } from './errors.ts'
import { changeOf, textOf } from './keep-history.ts'
import type { PostGroups } from './post-groups.ts'
import { reads } from './read-tokens.ts'
import { isSlug, isTooLong, slugOf } from './slug.ts'
import { setSynonyms } from './synonyms.ts'
import type { Tables } from './tables.ts'
import { tagStatus } from './tables.ts'
import type { TagRow } from './tag-rows.ts'
import { heldTags, tagById } from './tag-rows.ts'
import type { TagStore, TagText } from './tag-store.ts'

interface RouteNeeds {
  ctx: ServerContext<Tables>
  permissions: Permissions
  settings: SiteSettings
  tags: TagStore
  groups: PostGroups
  follows: Wanted<typeof follows>
  history: Wanted<typeof history>
  log: Wanted<typeof staffLog>
}

export function tagRoutes({ ctx, permissions, settings, tags, groups, follows, history, log }: RouteNeeds): Route[] {
  const note = (
    actorId: number,
    act: 'deleted' | 'undeleted' | 'synonyms_set',
    { id, slug, display_name }: TagRow,
    changes: AuditChange[] = [],
  ) => {
    const object = { kind: 'tag', id: ctx.ids.short('tag', id), label: display_name, path: `/tags/${encodeURIComponent(slug)}` }
    return log.current?.record({ actorId, action: `tag.${act}`, object, changes })
  }
  const find = async (id: string): Promise<TagRow> => {
    const decoded = ctx.ids.decode(id)
    const row = decoded?.kind === 'tag' ? await tagById(ctx.db.query, decoded.n) : undefined
    if (!row) throw noSuchTag(id)
    return row
  }
  const hold = (tx: Kysely<Tables>, id: number): Promise<TagRow> =>
    heldTags(tx, ctx.db.dialect).where('id', '=', id).executeTakeFirstOrThrow()

  return [
    route.read(tagCalls.page, schemas.page, {
      access: 'visitor',
      summary: 'Tags by use, name or age.',
      read: reads.page,
    }),
    route.read(tagCalls.byName, schemas.byName, {
      access: 'visitor',
      summary: 'Tags by their names.',
      read: reads.byName,
    }),
    route.read(tagCalls.following, schemas.following, {
      access: 'visitor',
      summary: 'Tags the caller follows.',
      read: reads.following,
      params: () => ({}),
    }),
    route.read(tagCalls.info, schemas.info, {
      access: 'visitor',
      summary: 'One tag with its description.',
      read: reads.info,
    }),
    route.read(tagCalls.synonyms, schemas.synonyms, {
      access: 'visitor',
      summary: 'Synonyms of a tag.',
      read: reads.synonyms,
    }),
    route.read(tagCalls.suggest, schemas.suggest, {
      access: 'active',
      summary: 'Tags whose name begins so, for choosing.',
      read: reads.suggest,
    }),
    route(tagCalls.create, schemas.create, {
      access: 'active',
      summary: 'Creates a tag.',
      handle: async ({ body, person }) => {
        await permissions.require(person, 'tag.add')
        const tag = checked({ slug: body.slug_name, displayName: body.display_name, text: body.original_text })
        await tags.create(tag, person.id)
        return { slug_name: tag.slug }
      },
    }),
    route(tagCalls.update, schemas.update, {
      access: 'active',
      summary: 'Rewrites a tag, or suggests to.',
      limit: { action: 'tag.edit', max: 60, seconds: 600 },
      handle: async ({ body, person }) => {
        const row = await find(body.tag_id)
        const way = await requireEdit({ permissions, history }, person, row)
        const tag = checked({
          slug: body.slug_name ?? row.slug,
          displayName: body.display_name ?? row.display_name,
          text: body.original_text ?? row.original_text,
        })
        if (tag.slug !== row.slug) await permissions.require(person, 'tag.edit_slug_name')
        const summary = body.edit_summary ?? ''
        const after = { ...row, display_name: tag.displayName, original_text: tag.text, slug: tag.slug }
        if (isDeepStrictEqual(textOf(row), textOf(after))) return { wait_for_review: false }
        if (way === 'direct') {
          await (await tags.prepareRewrite(row.id, tag, { editorId: person.id, summary, base: body.base }))()
          return { wait_for_review: false }
        }
        await ctx.db.write(async () => {
          const before = await tags.rowAt(row.id, body.base)
          await history.current?.suggest({ ...changeOf(row, person.id, summary), before: textOf(before), after: textOf(after) })
        })
        return { wait_for_review: true }
      },
    }),
    route(tagCalls.remove, schemas.byTag, {
      access: 'active',
      summary: 'Deletes a tag that nothing uses.',
      handle: async ({ body, person }) => {
        await permissions.require(person, 'tag.delete')
        const { id } = await find(body.tag_id)
        await ctx.db.write(async (tx) => {
          const row = await hold(tx, id)
          const used = await tx.selectFrom('tags__relation').select('experience_id').where('tag_id', '=', id).executeTakeFirst()
          const synonym = await tx.selectFrom('tags__tag').select('id').where('main_id', '=', id).executeTakeFirst()
          if (used || synonym) throw tagRefusals.is_used_cannot_delete({ name: row.slug, count: row.experience_count })
          await tags.setStatus(row, tagStatus.deleted)
          if (row.status !== tagStatus.deleted) await note(person.id, 'deleted', row)
        })
      },
    }),
    route(tagCalls.recover, schemas.byTag, {
      access: 'active',
      summary: 'Takes the deletion of a tag back.',
      handle: async ({ body, person }) => {
        await permissions.require(person, 'tag.undeleted')
        const { id } = await find(body.tag_id)
        await ctx.db.write(async (tx) => {
          const row = await hold(tx, id)
          await tags.setStatus(row, tagStatus.available)
          if (row.status === tagStatus.deleted) await note(person.id, 'undeleted', row)
        })
      },
    }),
    route(tagCalls.setSynonyms, schemas.setSynonyms, {
      access: 'active',
      summary: 'Sets the synonyms of a tag.',
      handle: async ({ body, person }) => {
        await permissions.require(person, 'tag.synonym')
        const row = await find(body.tag_id)
        const names = body.synonym_tag_list.map((tag) =>
          checked(
            { slug: tag.slug_name ?? tag.display_name ?? '', displayName: tag.display_name ?? '', text: tag.original_text ?? '' },
            'synonym_tag_list',
          ),
        )
        await ctx.db.write(async () => {
          await setSynonyms({ ctx, settings, groups, follows }, tags, row, names, person.id)
          const to = names.map(({ slug }) => slug).join(', ')
          await note(person.id, 'synonyms_set', row, [{ field: 'tag.audit_synonyms', from: null, to }])
        })
      },
    }),
  ]
}

/** A tag with its name as a slug. @throws a form error on `field` */
function checked(tag: TagText, field = 'slug_name'): TagText {
  const slug = slugOf(tag.slug)
  const displayName = tag.displayName.trim() || slug
  if (!isSlug(slug)) throw fieldErrors({ [field]: 'tag.name_invalid' })
  if (isTooLong(slug) || isTooLong(displayName)) throw fieldErrors({ [field]: 'tag.name_long' })
  return { slug, displayName, text: tag.text }
}
