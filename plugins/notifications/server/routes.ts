import type { Route } from '@stoa/sdk/server'
import { route } from '@stoa/sdk/server'
import { noticeCalls, noticeLive } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import type { Capabilities } from './capabilities.ts'
import { readConfig, retryChannel, saveConfig, unsubscribe } from './config.ts'
import { clearDot, readAll, readOne } from './mark-read.ts'
import { noticesOfCaller, statusOfCaller } from './read-notices.ts'

/** All calls of this plugin. */
export function noticeRoutes(capabilities: Capabilities): Route[] {
  const { ctx } = capabilities
  return [
    route.read(noticeCalls.page, schemas.page, {
      access: 'active',
      summary: 'What happened for the caller, newest first.',
      read: noticesOfCaller,
    }),
    route.kept(noticeCalls.status, schemas.status, {
      access: 'active',
      summary: 'What is new for the caller, in numbers.',
      // What waits for somebody is counted each time: their rights may change with everything that they and others do.
      kept: { until: [noticeLive.status, noticeLive.reviews], if: ({ can_revision }) => !can_revision },
      handle: () => ctx.read(statusOfCaller, {}),
    }),
    route(noticeCalls.clearStatus, schemas.clearStatus, {
      access: 'active',
      summary: 'Clears one of the red dots.',
      handle: async ({ body, person }) => {
        await clearDot(ctx, person.id, body.type)
        return ctx.read(statusOfCaller, {})
      },
    }),
    route(noticeCalls.readOne, schemas.readOne, {
      access: 'active',
      summary: 'Marks a notification of the caller as read.',
      form: {},
      handle: async ({ body, person }) => {
        await readOne(ctx, person.id, body.id)
        return {}
      },
    }),
    route(noticeCalls.readAll, schemas.readAll, {
      access: 'active',
      summary: 'Marks all notifications of a list as read.',
      form: {},
      handle: async ({ body, person }) => {
        await readAll(ctx, person.id, body.type)
        return {}
      },
    }),
    route(noticeCalls.config, schemas.config, {
      access: 'active',
      summary: 'What reaches the caller outside of the site, and how soon.',
      handle: ({ person }) => readConfig(capabilities, person.id),
    }),
    route(noticeCalls.retryChannel, schemas.retryChannel, {
      access: 'active',
      summary: 'Has a channel tried again that did not reach the caller.',
      // Each may cost a mail that is refused.
      limit: { action: 'retry', max: 5, seconds: 3600 },
      handle: ({ body, person }) => retryChannel(capabilities, person.id, body.channel),
    }),
    route(noticeCalls.saveConfig, schemas.saveConfig, {
      access: 'active',
      summary: 'Chooses what reaches the caller outside of the site.',
      limit: { action: 'config', max: 60, seconds: 600 },
      handle: ({ body, person }) => saveConfig(capabilities, person.id, body),
    }),
    route(noticeCalls.unsubscribe, schemas.unsubscribe, {
      access: 'open',
      whileClosed: true,
      summary: 'Ends what a link in a message was sent for.',
      form: { to: '/users/unsubscribe?done=1' },
      limit: { action: 'unsubscribe', max: 60, seconds: 600, by: 'address' },
      handle: ({ body }) => unsubscribe(capabilities, body.code),
    }),
    route(noticeCalls.unsubscribeByProgram, schemas.unsubscribeByProgram, {
      access: 'open',
      whileClosed: true,
      summary: 'Ends what a message was sent for, asked by a mail program.',
      ignoresBody: true,
      // Programs of a provider ask for many people from one address.
      limit: { action: 'unsubscribe-by-program', max: 600, seconds: 600, by: 'address' },
      handle: ({ query }) => unsubscribe(capabilities, query.code),
    }),
  ]
}
