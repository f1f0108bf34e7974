import type { ReplyOf } from '@stoa/sdk'
import type { ServerContext, Wanted } from '@stoa/sdk/server'
import type { dashboardCalls, statistics } from '../shared/api.ts'
import { inOrder } from './figures.ts'

const DAY = 86_400

/** How many seconds a zone's clock is ahead at a moment. */
export function offsetOf(zone: string, at: number): number {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(at * 1000)
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(parts.find(({ type }) => type === 'timeZoneName')?.value ?? '') ?? []
  return hours === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60)
}

/** What came on each of the last days, today included, by whose plugin it is. Days are those of the site's clock as it goes now. */
export async function activityOf(
  ctx: ServerContext,
  counted: Wanted<typeof statistics>,
  { days, zone }: { days: number; zone: string },
): Promise<ReplyOf<typeof dashboardCalls.activity>> {
  const offset = offsetOf(zone, ctx.now())
  const first = Math.floor((ctx.now() + offset) / DAY) - days + 1
  const activities = inOrder(counted).flatMap(({ service }) => service.activity ?? [])
  const series = await Promise.all(
    activities.map(async ({ name, text, perDay }) => {
      const counts = new Array<number>(days).fill(0)
      for (const { day, count } of await perDay(first * DAY - offset, offset))
        if (day - first in counts) counts[day - first] = Number(count)
      return { name, label: ctx.host.texts.text(text), counts }
    }),
  )
  return { days: Array.from({ length: days }, (_, index) => new Date((first + index) * DAY * 1000).toISOString().slice(0, 10)), series }
}
