import type { Extensions, Person } from '@stoa/sdk'
import { fieldErrors, isStaff } from '@stoa/sdk'
import type { Route, ServerContext, Wanted } from '@stoa/sdk/server'
import { route } from '@stoa/sdk/server'
import type { history } from '../../../history/shared/api.ts'
import type { Permissions } from '../../../site/shared/api.ts'
import type { PostDraft, TagChoice } from '../../shared/api.ts'
import { experienceCalls, experienceErrors, experienceHooks, postStatus } from '../../shared/api.ts'
import * as schemas from '../../shared/schemas.ts'
import { reads } from '../read-tokens.ts'
import { postNumber } from '../store/public-id.ts'
import type { PostRow } from '../store/rows.ts'
import type { Tables } from '../store/tables.ts'
import { postErrorsTable } from '../writing/errors.ts'
import type { createModeration } from '../writing/moderation.ts'
import type { createPublishing } from '../writing/publish.ts'

interface WriteRouteNeeds {
  ctx: ServerContext<Tables>
  permissions: Permissions
  publishing: ReturnType<typeof createPublishing>
  moderation: ReturnType<typeof createModeration>
  history: Wanted<typeof history>
}

/** Changes of state per person: staff clean up whole lists, nobody needs more. */
const changes = { action: 'experience.status', max: 300, seconds: 600 }

/** Says that a draft is no new post, though nobody named the old one. */
const noPost = 0

/** Calls that change experiences. */
export function writeRoutes({ ctx, permissions, publishing, moderation, history }: WriteRouteNeeds): Route[] {
  const find = (person: Person, id: string): Promise<PostRow> => moderation.visible(person, postNumber(ctx.ids, id), id)

  /**
   * How somebody may edit a post: authors, staff and people of much reputation at once, others by a suggestion. While one waits, only authors and
   * staff may.
   */
  const requireEdit = async (person: Person, row: PostRow): Promise<'direct' | 'suggestion'> => {
    if (row.status === postStatus.deleted) throw experienceErrors.cannot_update({ id: row.id })
    if (person.id === row.author_id || isStaff(person)) return 'direct'
    const isDirect = (await permissions.may(person, 'experience.edit_without_review')).allowed
    if (!isDirect) await permissions.require(person, history.current ? 'experience.edit' : 'experience.edit_without_review')
    await history.current?.refuseWaiting({ kind: 'experience', n: row.id })
    return isDirect ? 'direct' : 'suggestion'
  }

  return [
    route.write(experienceCalls.create, schemas.create, {
      access: 'active',
      summary: 'Posts an experience.',
      duplicateGuard: true,
      write: async ({ body, person }) => ({ n: await (await publishing.prepare(draftOf(body), person))() }),
      read: reads.written,
    }),
    route(experienceCalls.update, schemas.update, {
      access: 'active',
      summary: 'Rewrites an experience, or suggests to.',
      handle: async ({ body, person }) => {
        const draft = draftOf(body)
        if (!body.id) await publishing.check({ ...draft, n: noPost }, person, { id: 'validation.required' })
        const row = await find(person, body.id ?? '')
        const options = { summary: body.edit_summary ?? '', base: body.base }
        const isDirect = (await requireEdit(person, row)) === 'direct' && (await publishing.letsPass(row, draft, person))
        if (!isDirect) return { url_title: '', wait_for_review: await publishing.suggest(row, draft, person, options) }
        const store = await publishing.prepareEdit(row, draft, person, options)
        return { url_title: await store(), wait_for_review: false }
      },
    }),
    route(experienceCalls.remove, schemas.remove, {
      access: 'active',
      summary: 'Deletes an experience.',
      limit: changes,
      handle: async ({ body, person }) => moderation.remove(person, await find(person, body.id)),
    }),
    route(experienceCalls.close, schemas.close, {
      access: 'active',
      summary: 'Closes an experience with a reason.',
      limit: changes,
      handle: async ({ body, person }) => moderation.close(person, await find(person, body.id), body.close_type, body.close_msg),
    }),
    route(experienceCalls.reopen, schemas.byExperience, {
      access: 'active',
      summary: 'Opens a closed experience again.',
      limit: changes,
      handle: async ({ body, person }) => moderation.reopen(person, await find(person, body.experience_id)),
    }),
    route(experienceCalls.operate, schemas.operate, {
      access: 'active',
      summary: 'Pins, unpins, hides or shows an experience.',
      handle: async ({ body, person }) => moderation.operate(person, await find(person, body.id), body.operation),
    }),
    route(experienceCalls.recover, schemas.byExperience, {
      access: 'active',
      summary: 'Takes a deletion back.',
      limit: changes,
      handle: async ({ body, person }) => {
        const row = await moderation.seen(person, postNumber(ctx.ids, body.experience_id))
        // Whoever may recover nothing is not told which posts there are.
        if (!row) await permissions.require(person, 'experience.undeleted')
        return moderation.recover(person, row ?? (await find(person, body.experience_id)))
      },
    }),
    route(experienceCalls.setStatus, schemas.setStatus, {
      access: 'admin',
      summary: 'Sets the status of an experience.',
      handle: async ({ body, person }) => moderation.setStatus(await find(person, body.experience_id), body.status, person),
    }),
    route(experienceCalls.editCheck, schemas.editCheck, {
      access: 'active',
      summary: 'Says whether the caller may edit an object.',
      handle: async ({ query, person }) => {
        const object = ctx.ids.decode(query.id)
        const row = object?.kind === 'experience' ? await moderation.seen(person, object.n) : undefined
        if (row) {
          await requireEdit(person, row)
          return
        }
        if (!object || !(await ctx.run(experienceHooks.mayEdit, object, person)))
          throw postErrorsTable['object.not_found']({ id: query.id })
      },
    }),
  ]
}

/** What came in, with the shape of each tag checked; whether the tags are right is for their owner to say. */
function draftOf(body: {
  title?: string | undefined
  content?: string | undefined
  tags?: unknown[] | null | undefined
  extensions?: Extensions | null | undefined
}): PostDraft {
  const isTag = (tag: unknown): tag is TagChoice =>
    typeof tag === 'object' &&
    tag !== null &&
    ['slug_name', 'display_name', 'original_text'].every((key) => typeof ((tag as Record<string, unknown>)[key] ?? '') === 'string')
  if (body.tags && !body.tags.every(isTag)) throw fieldErrors({ tags: 'experience.tag_malformed' })
  return {
    title: (body.title ?? '').trim(),
    content: body.content ?? '',
    tags: body.tags === undefined ? null : ((body.tags ?? []) as TagChoice[]),
    extensions: body.extensions ?? undefined,
  }
}
