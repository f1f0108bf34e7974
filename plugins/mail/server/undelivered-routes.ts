import type { Route, ServerContext } from '@stoa/sdk/server'
import { route } from '@stoa/sdk/server'
import { mailCalls } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import type { Refused } from './refused.ts'
import type { Undelivered, UndeliveredRow } from './undelivered.ts'

/** The admin's list of mails that no server has taken. */
export function undeliveredRoutes(ctx: ServerContext, undelivered: Undelivered, refused: Refused): Route[] {
  const view = (row: UndeliveredRow) => {
    const isBusy = row.busy_until > ctx.now()
    const state = isBusy ? ('trying' as const) : row.state === 'failed' ? ('given_up' as const) : row.state
    const { id, to_address: to, subject, reason, tries, first_at, last_at } = row
    return { id, to, subject, reason, tries, state, can_send_again: row.again_job !== '' && !isBusy, first_at, last_at }
  }
  return [
    route(mailCalls.undelivered, schemas.undelivered, {
      access: 'admin',
      summary: 'Mails that no server has taken, newest first',
      handle: async ({ query }) => {
        const { count, rows } = await undelivered.page(query.page, Math.min(query.page_size, 100))
        return { count, list: rows.map(view) }
      },
    }),
    route(mailCalls.sendAgain, schemas.sendAgain, {
      access: 'admin',
      summary: 'Sends one of them again, or all',
      handle: async ({ body }) => ({ count: await undelivered.sendAgain(body.id) }),
    }),
    route(mailCalls.forget, schemas.forget, {
      access: 'admin',
      summary: 'Takes one of them off the list, or all',
      handle: async ({ body }) => {
        const address = await undelivered.forget(body.id)
        // Whoever clears it has done something about it.
        if (body.id === undefined) await refused.forget({})
        else if (address !== undefined) await refused.forget({ address: address.toLowerCase() })
      },
    }),
  ]
}
