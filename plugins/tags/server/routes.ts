import type { Person } from '@stoa/sdk'
import { fieldErrors } from '@stoa/sdk'
import type { Route, ServerContext } from '@stoa/sdk/server'
import { route } from '@stoa/sdk/server'
import type { Permissions, SiteSettings } from '../../site/shared/api.ts'
import { noSuchTag, tagRefusals } from './errors.ts'
import type { PostGroups } from './post-groups.ts'
import { reads } from './read-tokens.ts'
import { bodies, queries, replies } from './schemas.ts'
import { isSlug, isTooLong, slugOf } from './slug.ts'
import { setSynonyms } from './synonyms.ts'
import type { Tables } from './tables.ts'
import { tagStatus } from './tables.ts'
import type { TagRow } from './tag-rows.ts'
import { tagById } from './tag-rows.ts'
import type { TagStore, TagText } from './tag-store.ts'

interface RouteNeeds {
  ctx: ServerContext<Tables>
  permissions: Permissions
  settings: SiteSettings
  tags: TagStore
  groups: PostGroups
}

const path = '/answer/api/v1'

export function tagRoutes({ ctx, permissions, settings, tags, groups }: RouteNeeds): Route[] {
  const find = async (id: string): Promise<TagRow> => {
    const decoded = ctx.ids.decode(id)
    const row = decoded?.kind === 'tag' ? await tagById(ctx.db.query, decoded.n) : undefined
    if (!row) throw noSuchTag(id)
    return row
  }

  return [
    route({
      method: 'GET',
      path: `${path}/tags/page`,
      access: 'visitor',
      summary: 'Tags by use, name or age.',
      query: queries.page,
      reply: replies.page,
      read: reads.page,
    }),
    route({
      method: 'GET',
      path: `${path}/tags`,
      access: 'visitor',
      summary: 'Tags by their names.',
      query: queries.byName,
      reply: replies.basics,
      read: reads.byName,
    }),
    route({
      method: 'GET',
      path: `${path}/tags/following`,
      access: 'visitor',
      summary: 'Tags the caller follows.',
      reply: replies.following,
      handle: () => [],
    }),
    route({
      method: 'GET',
      path: `${path}/tag`,
      access: 'visitor',
      summary: 'One tag with its description.',
      query: queries.info,
      reply: replies.info,
      read: reads.info,
    }),
    route({
      method: 'GET',
      path: `${path}/tag/synonyms`,
      access: 'visitor',
      summary: 'Synonyms of a tag.',
      query: queries.synonyms,
      reply: replies.synonyms,
      read: reads.synonyms,
    }),
    route({
      method: 'GET',
      path: `${path}/experience/tags`,
      access: 'active',
      summary: 'Tags whose name begins so, for choosing.',
      query: queries.suggest,
      reply: replies.basics,
      read: reads.suggest,
    }),
    route({
      method: 'POST',
      path: `${path}/tag`,
      access: 'active',
      summary: 'Creates a tag.',
      body: bodies.create,
      reply: replies.created,
      handle: async ({ body, person }) => {
        await permissions.require(person, 'tag.add')
        const tag = checked({ slug: body.slug_name, displayName: body.display_name, text: body.original_text })
        await tags.create(tag, (person as Person).id)
        return { slug_name: tag.slug }
      },
    }),
    route({
      method: 'PUT',
      path: `${path}/tag`,
      access: 'active',
      summary: 'Rewrites a tag.',
      body: bodies.update,
      reply: replies.updated,
      handle: async ({ body, person }) => {
        const row = await find(body.tag_id)
        await permissions.require(person, 'tag.edit_without_review')
        if (row.status === tagStatus.deleted) throw tagRefusals.cannot_update({ name: row.slug })
        const tag = checked({
          slug: body.slug_name ?? row.slug,
          displayName: body.display_name ?? row.display_name,
          text: body.original_text ?? row.original_text,
        })
        if (tag.slug !== row.slug) await permissions.require(person, 'tag.edit_slug_name')
        await tags.rewrite(row, tag)
        return { wait_for_review: false }
      },
    }),
    route({
      method: 'DELETE',
      path: `${path}/tag`,
      access: 'active',
      summary: 'Deletes a tag that nothing uses.',
      body: bodies.id,
      reply: replies.nothing,
      handle: async ({ body, person }) => {
        await permissions.require(person, 'tag.delete')
        const row = await find(body.tag_id)
        const used = await ctx.db.query.selectFrom('tags__relation').select('experience_id').where('tag_id', '=', row.id).executeTakeFirst()
        const synonym = await ctx.db.query.selectFrom('tags__tag').select('id').where('main_id', '=', row.id).executeTakeFirst()
        if (used || synonym) throw tagRefusals.is_used_cannot_delete({ name: row.slug, count: row.experience_count })
        await tags.setStatus(row, tagStatus.deleted)
      },
    }),
    route({
      method: 'POST',
      path: `${path}/tag/recover`,
      access: 'active',
      summary: 'Takes the deletion of a tag back.',
      body: bodies.id,
      reply: replies.nothing,
      handle: async ({ body, person }) => {
        await permissions.require(person, 'tag.undeleted')
        await tags.setStatus(await find(body.tag_id), tagStatus.available)
      },
    }),
    route({
      method: 'PUT',
      path: `${path}/tag/synonym`,
      access: 'active',
      summary: 'Sets the synonyms of a tag.',
      body: bodies.synonyms,
      reply: replies.nothing,
      handle: async ({ body, person }) => {
        await permissions.require(person, 'tag.synonym')
        const row = await find(body.tag_id)
        if (row.main_id > 0 || row.status === tagStatus.deleted) throw tagRefusals.cannot_update({ name: row.slug })
        const names = body.synonym_tag_list.map((tag) =>
          checked(
            { slug: tag.slug_name ?? tag.display_name ?? '', displayName: tag.display_name ?? '', text: tag.original_text ?? '' },
            'synonym_tag_list',
          ),
        )
        await setSynonyms({ ctx, settings, groups }, tags, row, names, (person as Person).id)
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
