import type { Route } from '@stoa/sdk/server'
import { route } from '@stoa/sdk/server'
import { bookmarkCalls } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import { bookmarksOfCaller } from './read-bookmarks.ts'
import type { Capabilities } from './switch-bookmark.ts'
import { switchBookmark } from './switch-bookmark.ts'

/** All calls of this plugin. */
export function bookmarkRoutes(capabilities: Capabilities): Route[] {
  return [
    route(bookmarkCalls.toggle, schemas.toggle, {
      access: 'active',
      summary: 'Bookmarks a post, or takes the bookmark away.',
      form: {},
      limit: { action: 'bookmark', max: 120, seconds: 600 },
      handle: async ({ body, person }) => ({
        object_collection_count: await switchBookmark(capabilities, person, body.object_id, body),
      }),
    }),
    route.read(bookmarkCalls.own, schemas.own, {
      access: 'active',
      summary: 'Bookmarks of the caller, last one first.',
      read: bookmarksOfCaller,
      params: ({ query }) => ({ ...query, kinds: capabilities.objects.current.map(({ service }) => service.kind) }),
    }),
  ]
}
