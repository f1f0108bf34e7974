import type { ServerContext } from '@stoa/sdk/server'
import type { CentrePeople } from '../../accounts/shared/api.ts'
import type { WeCom } from '../../connector-wecom/shared/api.ts'
import { errcodeOf, memberOf, weComMethod } from '../../connector-wecom/shared/api.ts'

const NO_SUCH_MEMBER = 60_111

/** What WeCom means by its numbers. Those of a missing right are told at the setting that needs the right. */
const CAUSES = new Map([
  [40_001, 'keys'],
  [40_013, 'keys'],
  [40_014, 'keys'],
  [42_001, 'keys'],
  [45_009, 'busy'],
  [45_033, 'busy'],
  [-1, 'busy'],
  [60_020, 'address'],
])

/**
 * Asks WeCom what the jobs ask: a member, and the departments where they are shown.
 * @returns keys of texts by field; undefined where both are told
 */
export async function testConnection(ctx: ServerContext, weCom: WeCom, people: CentrePeople, showsDepartments: boolean) {
  const key = (cause: string) => `user_center_wecom.error.${cause}`
  if (!weCom.isSetUp()) return { connection: key('not_set_up') }
  const wrong = async (field: string, work: () => Promise<unknown>): Promise<Record<string, string> | undefined> => {
    try {
      await work()
      return undefined
    } catch (error) {
      const errcode = errcodeOf(error)
      if (errcode === NO_SUCH_MEMBER) return undefined
      ctx.log.warn('WeCom does not tell what it is asked', { error: (error as Error).message })
      if (errcode === undefined) return { connection: key('unreachable') }
      const cause = CAUSES.get(errcode)
      return cause === undefined ? { [field]: key(`no_right.${field}`) } : { connection: key(cause) }
    }
  }
  const [bound] = await people.boundTo(weComMethod, 0, 1)
  // Nobody has come in by WeCom yet: that there is no such member is an answer too.
  const userid = (bound && memberOf(weCom.companyId(), bound.externalId)) ?? 'nobody'
  return (
    (await wrong('status_from_company', () => weCom.ask('/cgi-bin/user/get', { query: { userid } }))) ??
    (showsDepartments ? wrong('show_departments', () => weCom.ask('/cgi-bin/department/list')) : undefined)
  )
}
