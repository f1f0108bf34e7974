import type { Route } from '@stoa/sdk/server'
import { route } from '@stoa/sdk/server'
import { followCalls } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import type { Capabilities } from './capabilities.ts'
import { followNames, followObject } from './follow-object.ts'
import type { FollowKeeper } from './keep-follows.ts'

/** The kind that the protocol lets people choose by names, in a call of its own. */
const NAMED_KIND = 'tag'

/** All calls of this plugin. */
export function followRoutes(capabilities: Pick<Capabilities, 'ctx'>, keeper: FollowKeeper): Route[] {
  return [
    route(followCalls.follow, schemas.follow, {
      access: 'active',
      summary: 'Follows a post or a tag, or stops following it.',
      form: {},
      limit: { action: 'follow', max: 120, seconds: 600 },
      handle: ({ body, person }) => followObject(capabilities, keeper, person, body.object_id, body),
    }),
    route(followCalls.followTags, schemas.followTags, {
      access: 'active',
      summary: 'Makes the tags that the caller follows exactly these.',
      limit: { action: 'follow-tags', max: 60, seconds: 600 },
      handle: ({ body, person }) =>
        followNames(capabilities, keeper, person, { kind: NAMED_KIND, names: body.slug_name_list, field: 'slug_name_list' }),
    }),
  ]
}
