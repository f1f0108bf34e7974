import type { ServerContext, Wanted } from '@stoa/sdk/server'
import { networkOf } from '@stoa/sdk/server'
import type { captchaProvider, Puzzle } from '../shared/api.ts'
import type { Caller } from './counts.ts'

/** As long as the protocol has it. */
const SECONDS = 360
/** Of one person or network; the oldest make room. */
const MOST_OPEN = 10

export interface Capabilities {
  ctx: ServerContext
  provider: Wanted<typeof captchaProvider>
}

interface Made {
  /** Plugin that made it: another one cannot judge it. */
  slug: string
  answer: string
}

/** Puzzles that wait for their answer: bound to action, person and network, and gone with the first try. */
export function createChallenges({ ctx, provider }: Capabilities) {
  const keyOf = (id: string, action: string, unit: string) => `${id} ${action} ${unit}`
  const unitOf = ({ person, ip }: Caller) => `${person?.id ?? 0} ${networkOf(ip)}`.slice(0, 80)

  return {
    /** @throws `base.too_many_requests` */
    async create(action: string, caller: Caller, language: string): Promise<(Puzzle & { id: string }) | undefined> {
      const maker = provider.current
      if (!maker) return undefined
      await ctx.host.limit('challenge', { key: networkOf(caller.ip), max: 120, seconds: 600 })
      const puzzle = await maker.create({ language })
      const [id, unit] = [ctx.host.random(24), unitOf(caller)]
      const made: Made = { slug: maker.slug, answer: puzzle.answer }
      await ctx.host.once.keep(keyOf(id, action, unit), made, { seconds: SECONDS, group: unit, most: MOST_OPEN })
      return { ...puzzle, id }
    },

    /** Whether a code is right for a puzzle that this caller was given for this action. Whatever it is, the puzzle is gone. */
    async redeem(id: string, code: string, action: string, caller: Caller): Promise<boolean> {
      const maker = provider.current
      if (!maker) return true
      const made = await ctx.host.once.take<Made>(keyOf(id, action, unitOf(caller)))
      return made?.slug === maker.slug && (await maker.verify(made.answer, code, { ip: caller.ip, action }))
    },
  }
}
