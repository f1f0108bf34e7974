import type { ServerContext } from '@stoa/sdk/server'
import type { Matter } from '../../dashboard/shared/api.ts'
import type { Tables } from './tables.ts'

/** From so many on it is a mistake of the company's settings, rather than people who left, if they are more than half of those asked about. */
const MANY = 10

interface Said {
  /** How many are gone who were there before. */
  gone: number
  asked: number
}

/** Whether people are to be suspended for what WeCom said of them; it is remembered while they are not. */
export function createBrake(ctx: ServerContext<Tables>) {
  const held = (): Promise<Said | undefined> =>
    ctx.db.query.selectFrom('user_center_wecom__brake').select(['gone', 'asked']).where('id', '=', 1).executeTakeFirst()

  const release = () => ctx.db.write((tx) => tx.deleteFrom('user_center_wecom__brake').execute())

  return {
    /** @param isWhole false: WeCom has not told of everybody, which ends nothing. @returns true: suspend nobody */
    async holds({ gone, asked }: Said, isWhole: boolean): Promise<boolean> {
      if (gone <= MANY || gone <= asked / 2) return !isWhole && (await held()) !== undefined
      await ctx.db.write(async (tx) => {
        await release()
        await tx.insertInto('user_center_wecom__brake').values({ id: 1, gone, asked }).execute()
      })
      ctx.log.warn('WeCom says that most members are gone; nobody is suspended for it', { gone, asked })
      return true
    },

    release: async (): Promise<void> => void (await release()),

    /** For the dashboard. */
    async matters(): Promise<Matter[]> {
      const said = await held()
      const path = '/admin/user-center-wecom'
      return said ? [{ text: 'user_center_wecom.matter.brake', params: { ...said }, tone: 'danger', path }] : []
    },
  }
}
export type Brake = ReturnType<typeof createBrake>
