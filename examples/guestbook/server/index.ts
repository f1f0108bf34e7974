import { people } from '@stoa/plugin-accounts/api'
import type { Person } from '@stoa/sdk'
import { fieldErrors } from '@stoa/sdk'
import { defineServerPlugin, route, Type } from '@stoa/sdk/server'
import { createGuestbook } from './guestbook.ts'

const path = '/answer/api/v1/guestbook'

export default defineServerPlugin({
  wants: { people },
  activate({ people }, ctx) {
    const guestbook = createGuestbook(ctx, people)
    ctx.routes([
      route({
        method: 'GET',
        path,
        access: 'visitor',
        summary: 'Newest entries of the guest book.',
        reply: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String(), text: Type.String(), created_at: Type.Integer() })),
        handle: () => guestbook.list(),
      }),
      route({
        method: 'POST',
        path,
        access: 'active',
        summary: 'Signs the guest book.',
        body: Type.Object({ text: Type.String({ maxLength: 500 }) }),
        reply: Type.Null(),
        async handle({ body, person }) {
          const text = body.text.trim()
          if (text === '') throw fieldErrors({ text: 'guestbook.empty' })
          await guestbook.sign(person as Person, text)
          return null
        },
      }),
    ])
  },
})
