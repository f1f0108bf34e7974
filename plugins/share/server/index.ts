import { defineServerPlugin, route } from '@stoa/sdk/server'
import { people } from '../../accounts/shared/api.ts'
import { posts } from '../../experiences/shared/api.ts'
import { shareCalls } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import { noteOpened } from './note-opened.ts'

export default defineServerPlugin({
  needs: { posts },
  wants: { people },
  activate({ posts, people }, ctx) {
    ctx.routes([
      route(shareCalls.opened, schemas.opened, {
        access: 'visitor',
        summary: 'Says that a post was opened by somebody’s link.',
        limit: { action: 'share.opened', max: 30, seconds: 600 },
        handle: ({ body, person }) => noteOpened({ ctx, posts, people }, person, body),
      }),
    ])
  },
})
