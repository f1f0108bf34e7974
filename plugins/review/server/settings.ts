import type { ServerContext } from '@stoa/sdk/server'

export interface Settings {
  /** So much of somebody has to be published before the rest is at once; 0: nobody waits. */
  newcomers: number | string
  /** Seconds a reviewer may take. */
  deadline: number | string
  /** When one has no opinion. */
  on_failure: 'publish' | 'wait' | 'refuse'
}

const isWithin = (value: unknown, least: number, most: number) =>
  Number.isInteger(Number(value)) && Number(value) >= least && Number(value) <= most

/** Checks what owners save. */
export function checkSettings(ctx: ServerContext): void {
  ctx.plugin.settings.onSave(({ newcomers, deadline }) => {
    const problems = {
      ...(!isWithin(newcomers, 0, 100) && { newcomers: 'review.settings.newcomers.wrong' }),
      ...(!isWithin(deadline, 1, 30) && { deadline: 'review.settings.deadline.wrong' }),
    }
    return Object.keys(problems).length > 0 ? problems : undefined
  })
}
