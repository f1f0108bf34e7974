import { service } from '@stoa/sdk'

/** What WeCom answers, without `errcode` and `errmsg`. */
export type WeComReply = Record<string, unknown>

/** WeCom's server, asked in the name of the company that the owner has entered. */
export interface WeCom {
  /** False where the settings are not filled in: ask nothing then. */
  isSetUp(): boolean
  /** Number of the company (corp id); empty while none is entered. */
  companyId(): string
  /**
   * Asks something. The token of the company is fetched, kept and renewed here; a busy server is asked once more.
   * @param path such as `/cgi-bin/user/get`
   * @param given `query`: parameters beside the token; `body`: sent as JSON by POST
   * @throws where WeCom refuses ({@link errcodeOf} has its number), or does not answer
   */
  ask(path: string, given?: { query?: Record<string, string>; body?: Record<string, unknown> }): Promise<WeComReply>
}
export const weCom = service<WeCom>('connector-wecom.client')

/** Id of the login among those that accounts knows. */
export const weComMethod = 'connector-wecom'

/** By which accounts knows a member: numbers of members are of one company only. */
export const memberKey = (companyId: string, userId: string): string => `${companyId} ${userId}`

/** The member of that company whom accounts knows by this key; undefined for those of other companies. */
export function memberOf(companyId: string, key: string): string | undefined {
  const start = memberKey(companyId, '')
  return key.startsWith(start) ? key.slice(start.length) : undefined
}

/** Number by which WeCom refuses, such as 60111 where it has no such member; undefined for every other error. */
export function errcodeOf(error: unknown): number | undefined {
  const errcode = error instanceof Error && 'errcode' in error ? error.errcode : undefined
  return typeof errcode === 'number' ? errcode : undefined
}
