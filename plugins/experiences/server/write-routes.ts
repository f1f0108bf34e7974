import type { Person } from '@stoa/sdk'
import { fieldErrors, isStaff } from '@stoa/sdk'
import type { Route, ServerContext } from '@stoa/sdk/server'
import { route } from '@stoa/sdk/server'
import type { Permissions } from '../../site/shared/api.ts'
import type { PostDraft, TagChoice } from '../shared/api.ts'
import { experienceErrors, experienceHooks, experienceView, postStatus } from '../shared/api.ts'
import { postErrorsTable } from './errors.ts'
import type { createModeration } from './moderation.ts'
import { postNumber } from './public-id.ts'
import type { createPublishing } from './publish.ts'
import type { PostRow } from './rows.ts'
import { bodies, queries, replies } from './schemas.ts'
import type { Tables } from './tables.ts'

interface WriteRouteNeeds {
  ctx: ServerContext<Tables>
  permissions: Permissions
  publishing: ReturnType<typeof createPublishing>
  moderation: ReturnType<typeof createModeration>
}

/** Says that a draft is no new post, though nobody named the old one. */
const noPost = 0
const path = '/answer/api/v1/experience'
const adminPath = '/answer/admin/api/experience'

/** Calls that change experiences. */
export function writeRoutes({ ctx, permissions, publishing, moderation }: WriteRouteNeeds): Route[] {
  const find = (person: Person | null, id: string): Promise<PostRow> => moderation.visible(person as Person, postNumber(ctx.ids, id), id)

  const mayEdit = async (person: Person, row: PostRow): Promise<void> => {
    if (row.status === postStatus.deleted) throw experienceErrors.cannot_update({ id: row.id })
    if (person.id !== row.author_id && !isStaff(person)) await permissions.require(person, 'experience.edit_without_review')
  }

  return [
    route({
      method: 'POST',
      path,
      access: 'active',
      summary: 'Posts an experience.',
      body: bodies.create,
      reply: replies.info,
      duplicateGuard: true,
      read: experienceView,
      readParams: async ({ body, person }) => ({ n: await publishing.create(draftOf(body), person as Person) }),
    }),
    route({
      method: 'PUT',
      path,
      access: 'active',
      summary: 'Rewrites an experience.',
      body: bodies.update,
      reply: replies.updated,
      handle: async ({ body, person }) => {
        const draft = draftOf(body)
        if (!body.id) await publishing.check({ ...draft, n: noPost }, person as Person, { id: 'validation.required' })
        const row = await find(person, body.id ?? '')
        await mayEdit(person as Person, row)
        return { url_title: await publishing.edit(row, draft, person as Person), wait_for_review: false }
      },
    }),
    route({
      method: 'DELETE',
      path,
      access: 'active',
      summary: 'Deletes an experience.',
      body: bodies.id,
      reply: replies.nothing,
      handle: async ({ body, person }) => moderation.remove(person as Person, await find(person, body.id)),
    }),
    route({
      method: 'PUT',
      path: `${path}/status`,
      access: 'active',
      summary: 'Closes an experience with a reason.',
      body: bodies.close,
      reply: replies.nothing,
      handle: async ({ body, person }) => moderation.close(person as Person, await find(person, body.id), body.close_type, body.close_msg),
    }),
    route({
      method: 'PUT',
      path: `${path}/reopen`,
      access: 'active',
      summary: 'Opens a closed experience again.',
      body: bodies.experienceId,
      reply: replies.nothing,
      handle: async ({ body, person }) => moderation.reopen(person as Person, await find(person, body.experience_id)),
    }),
    route({
      method: 'PUT',
      path: `${path}/operation`,
      access: 'active',
      summary: 'Pins, unpins, hides or shows an experience.',
      body: bodies.operation,
      reply: replies.nothing,
      handle: async ({ body, person }) => moderation.operate(person as Person, await find(person, body.id), body.operation),
    }),
    route({
      method: 'POST',
      path: `${path}/recover`,
      access: 'active',
      summary: 'Takes a deletion back.',
      body: bodies.experienceId,
      reply: replies.nothing,
      handle: async ({ body, person }) => {
        await permissions.require(person, 'experience.undeleted')
        return moderation.recover(person as Person, await find(person, body.experience_id))
      },
    }),
    route({
      method: 'PUT',
      path: `${adminPath}/status`,
      access: 'admin',
      summary: 'Sets the status of an experience.',
      body: bodies.adminStatus,
      reply: replies.nothing,
      handle: async ({ body, person }) => moderation.setStatus(await find(person, body.experience_id), body.status),
    }),
    route({
      method: 'GET',
      path: '/answer/api/v1/revisions/edit/check',
      access: 'active',
      summary: 'Says whether the caller may edit an object.',
      query: queries.check,
      reply: replies.nothing,
      handle: async ({ query, person }) => {
        const object = ctx.ids.decode(query.id)
        const row = object?.kind === 'experience' ? await moderation.seen(person as Person, object.n) : undefined
        if (row) return mayEdit(person as Person, row)
        if (!object || !(await ctx.run(experienceHooks.mayEdit, object, person as Person)))
          throw postErrorsTable['object.not_found']({ id: query.id })
      },
    }),
  ]
}

/** What came in, with the shape of each tag checked; whether the tags are right is for their owner to say. */
function draftOf(body: { title?: string | undefined; content?: string | undefined; tags?: unknown[] | null | undefined }): PostDraft {
  const isTag = (tag: unknown): tag is TagChoice =>
    typeof tag === 'object' &&
    tag !== null &&
    ['slug_name', 'display_name', 'original_text'].every((key) => typeof ((tag as Record<string, unknown>)[key] ?? '') === 'string')
  if (body.tags && !body.tags.every(isTag)) throw fieldErrors({ tags: 'experience.tag_malformed' })
  return { title: (body.title ?? '').trim(), content: body.content ?? '', tags: (body.tags as TagChoice[] | null | undefined) ?? null }
}
