import type { ServerContext, Wanted } from '@stoa/sdk/server'
import { kernelHooks } from '@stoa/sdk/server'
import type { SiteSettings } from '../../site/shared/api.ts'
import type { waysIn } from '../shared/api.ts'
import type { AccountTables } from './tables.ts'

/** People looked at: a site has few without a password, and a number that large says enough. */
const MOST = 5000

/** Says before plugins go off how many people could not log in any more: those whose every way in goes. */
export function warnOfStranded(ctx: ServerContext<AccountTables>, settings: SiteSettings, ways: Wanted<typeof waysIn>): void {
  /** People whom no password lets in. */
  async function withoutPassword(): Promise<number[]> {
    if ((await settings.get('login')).allow_password_login) return await ctx.host.credentials.withoutPassword(MOST)
    const rows = await ctx.db.query
      .selectFrom('accounts__profile')
      .select('id')
      .where('state', '=', 'normal')
      .orderBy('id')
      .limit(MOST)
      .execute()
    return rows.map(({ id }) => id)
  }

  ctx.on(kernelHooks.switching, async (notes, { off }) => {
    const all = ways.current
    const going = all.filter(({ slug }) => off.includes(slug))
    if (going.length === 0) return undefined
    const people = await withoutPassword()
    const letIn = async (list: typeof going) => {
      const sets = await Promise.all(list.map(({ service }) => service.letsIn(people)))
      return new Set(sets.flatMap((set) => [...set]))
    }
    const staying = await letIn(all.filter(({ slug }) => !off.includes(slug)))
    const stranded = [...(await letIn(going))].filter((person) => !staying.has(person))
    return stranded.length === 0 ? undefined : [...notes, { text: 'accounts.stranded', params: { count: stranded.length } }]
  })
}
