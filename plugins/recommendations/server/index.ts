import { defineServerPlugin, route } from '@stoa/sdk/server'
import { recommendationCalls } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import { recommended } from './read-recommended.ts'

export default defineServerPlugin({
  activate(_, ctx) {
    ctx.routes([
      route.read(recommendationCalls.page, schemas.page, {
        access: 'member',
        summary: 'Experiences by what the caller follows.',
        read: recommended,
      }),
    ])
  },
})
