import type { ServerContext, Wanted } from '@stoa/sdk/server'
import { networkOf } from '@stoa/sdk/server'
import type { captchaProvider, Puzzle } from '../shared/api.ts'
import type { Caller } from './counts.ts'
import type { Tables } from './tables.ts'

/** As long as the protocol has it. */
const SECONDS = 360
/** Of one person or network; the oldest make room. */
const MOST_OPEN = 10

export interface Capabilities {
  ctx: ServerContext<Tables>
  provider: Wanted<typeof captchaProvider>
}

/** Puzzles that wait for their answer: bound to action, person and network, and gone with the first try. */
export function createChallenges({ ctx, provider }: Capabilities) {
  const unitOf = ({ person, ip }: Caller) => `${person?.id ?? 0} ${networkOf(ip)}`.slice(0, 80)

  return {
    /** @throws `base.too_many_requests` */
    async create(action: string, caller: Caller): Promise<(Puzzle & { id: string }) | undefined> {
      const maker = provider.current
      if (!maker) return undefined
      await ctx.host.limit('challenge', { key: networkOf(caller.ip), max: 120, seconds: 600 })
      const puzzle = await maker.create()
      const [id, unit] = [ctx.host.random(24), unitOf(caller)]
      await ctx.db.write(async (tx) => {
        await tx
          .insertInto('captcha__challenge')
          .values({ id, action, unit, slug: maker.slug, answer: puzzle.answer, expires_at: ctx.now() + SECONDS })
          .execute()
        const open = await tx
          .selectFrom('captcha__challenge')
          .select('id')
          .where('unit', '=', unit)
          .where('id', '!=', id)
          .orderBy('expires_at', 'desc')
          .execute()
        const late = open.slice(MOST_OPEN - 1).map((row) => row.id)
        if (late.length > 0) await tx.deleteFrom('captcha__challenge').where('id', 'in', late).execute()
      })
      return { ...puzzle, id }
    },

    /** Whether a code is right for a puzzle that this caller was given for this action. Whatever it is, the puzzle is gone. */
    async redeem(id: string, code: string, action: string, caller: Caller): Promise<boolean> {
      const maker = provider.current
      if (!maker) return true
      // One statement: of two calls with the same code, one finds the row.
      const row = await ctx.db.write((tx) =>
        tx
          .deleteFrom('captcha__challenge')
          .where('id', '=', id)
          .where('action', '=', action)
          .where('unit', '=', unitOf(caller))
          .returning(['answer', 'slug', 'expires_at'])
          .executeTakeFirst(),
      )
      if (!row || row.expires_at <= ctx.now() || row.slug !== maker.slug) return false
      return await maker.verify(row.answer, code, { ip: caller.ip, action })
    },

    deleteExpired: () =>
      ctx.db.write(async (tx) => void (await tx.deleteFrom('captcha__challenge').where('expires_at', '<=', ctx.now()).execute())),
  }
}
