import type { Person } from '@stoa/sdk'
import { isStaff } from '@stoa/sdk'
import type { Route, Static } from '@stoa/sdk/server'
import { route } from '@stoa/sdk/server'
import { reportCalls } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import { actOf } from './act.ts'
import type { Capabilities } from './capabilities.ts'
import { ownerOf } from './capabilities.ts'
import { flag } from './flag.ts'
import { handle, operationsFor, settle } from './handle.ts'
import { openFlags } from './read-open.ts'

type Unreviewed = Static<typeof schemas.unreviewed.reply>

/** Objects that are passed over in one call because nothing is left of them. */
const MOST_GONE = 20

/** All calls of this plugin. */
export function reportRoutes(capabilities: Capabilities): Route[] {
  const { ctx } = capabilities
  const decide = ({ body, person }: { body: Static<typeof schemas.handle.body>; person: Person }) =>
    handle(capabilities, person, actOf(body, ctx.site.url))
  return [
    route(reportCalls.create, schemas.create, {
      access: 'active',
      summary: 'Flags something for staff.',
      limit: { action: 'report', max: 30, seconds: 3600 },
      handle: ({ body, person }) => flag(capabilities, person, body),
    }),
    route(reportCalls.unreviewed, schemas.unreviewed, {
      access: 'active',
      summary: 'What is flagged, one a page; nothing for those who decide about nothing.',
      handle: ({ query, person }) => unreviewed(capabilities, person, query.page),
    }),
    route(reportCalls.handle, schemas.handle, {
      access: 'staff',
      summary: 'Decides about something that was flagged.',
      handle: decide,
    }),
    route(reportCalls.adminHandle, schemas.handle, {
      access: 'admin',
      summary: 'Decides about something that was flagged, from the admin area.',
      handle: decide,
    }),
  ]
}

async function unreviewed(capabilities: Capabilities, person: Person, page: number): Promise<Unreviewed> {
  if (!isStaff(person)) return { count: 0, list: [] }
  const { ctx, owners } = capabilities
  const kinds = owners.current.map(({ service }) => service.kind)
  for (let passed = 0; ; passed += 1) {
    const { count, first } = await ctx.read(openFlags, { page, kinds })
    if (!first) return { count, list: [] }
    const { kind, n, id, author, flags } = first
    const owner = ownerOf(capabilities, kind)
    const object = await owner?.find(n, person)
    const [newest, ...others] = flags
    if (!owner || !object || !newest) {
      // Nothing is left of it.
      if (passed === MOST_GONE) return { count, list: [] }
      await settle(capabilities, { kind, n })
      continue
    }
    const tags = object.tags?.map((tag) => ({ ...tag, main_tag_slug_name: '', recommend: false, reserved: false })) ?? null
    return {
      count,
      list: [
        {
          flag_id: ctx.ids.encode('report', id),
          created_at: object.createdAt,
          object_id: ctx.ids.encode(kind, n),
          experience_id: object.experience_id,
          answer_id: object.answer_id,
          comment_id: object.comment_id,
          object_type: kind,
          title: object.title,
          url_title: object.url_title,
          original_text: object.content,
          parsed_text: object.html,
          about: object.about,
          answer_count: object.answer_count,
          answer_accepted: object.answer_accepted,
          tags,
          object_status: object.status,
          object_show_status: object.show,
          author_user_info: author,
          ...newest,
          others,
          operations: operationsFor(owner, object),
        },
      ],
    }
  }
}
