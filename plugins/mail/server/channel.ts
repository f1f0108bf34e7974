import type { ServerContext } from '@stoa/sdk/server'
import type { Channel } from '../../notifications/shared/api.ts'
import type { Outgoing } from './outgoing.ts'
import type { Refused } from './refused.ts'
import type { Tables } from './tables.ts'
import { underCap } from './weekly-cap.ts'

/** Mail as a way by which notifications reach people. */
export function createChannel(ctx: ServerContext<Tables>, outgoing: Outgoing, refused: Refused): Channel {
  return {
    key: 'email',
    label: 'mail.channel',
    reaches: async (personId) =>
      (await ctx.host.credentials.find(personId))?.state === 'normal' && (await refused.of(personId)) === undefined,
    async trouble(personId) {
      const row = await refused.of(personId)
      return row && { text: 'mail.channel_refused', params: { email: row.address, reason: row.reason } }
    },
    retry: (personId) => refused.forget({ personId }),
    take: (message) =>
      ctx.db.write(async (tx) => {
        const items = await underCap(ctx, tx, message.personId, message.items)
        const dropped = message.items.length - items.length
        if (items.length > 0) await outgoing.add(tx, { ...message, items, more: message.more + dropped })
      }),
  }
}
