import type { Person } from '@stoa/sdk'
import { call, defineErrors, service } from '@stoa/sdk'
import type { Static } from '@stoa/sdk/schema'
import type * as schemas from './schemas.ts'

export { captchaSlots } from './slots.ts'

/** An entry of the point `captcha.actions`: calls that cost something, and when they are asked for a proof. */
export interface CaptchaAction {
  /** Entries with the same name share their count. */
  action: string
  /** Method and path of each as its route has them: `POST /answer/api/v1/comment`. */
  calls: string[]
  /** Whose calls are counted: somebody's who is logged in (else their address's), or an address's whoever calls. */
  by: 'person' | 'address'
  /** Calls that are free; 0: each one is asked. */
  after: number
  /** The count begins anew when so long nobody called. */
  seconds: number
  /** A call that comes so soon after the one before is asked as well. */
  pause?: number
  /** `failures`: only calls that were refused count, and one that was not takes them back. */
  counts?: 'failures'
  /** Codes of refusals that are no failures, and no success either: `error.accounts.second_step`. */
  unless?: string[]
  /** Member of the body by which is counted too, such as the address that somebody wants to log in with. */
  field?: string
}

export interface Puzzle {
  /** For the widget; of whatever shape it needs. Nothing of it may tell the answer. */
  shown?: unknown
  /** Data URI. Who offers one needs no widget: what is typed below it is the code. */
  picture?: string
  /** Data URI of sound that says the same. */
  sound?: string
  /** What the code is held against. Stays on the server. */
  answer: string
}

/** Makes puzzles and knows their answers. One plugin of the kind is on at a time. */
export interface CaptchaProvider {
  /** Of the plugin. */
  slug: string
  /** Settings that browsers need, such as a vendor's public key. */
  config?(): unknown
  /** @param about `language`: the reader's, for what is spoken */
  create(about: { language: string }): Promise<Puzzle>
  /**
   * @returns whether the code is right; false also for one that is not even a code. What throws, or takes longer than five seconds, counts as a vendor
   * that is down, see the settings of the plugin. @param about `ip`: address of the client
   */
  verify(answer: string, code: string, about: { ip: string; action: string }): Promise<boolean>
}
export const captchaProvider = service<CaptchaProvider>('captcha.provider')

/** For calls of the protocol that others own. */
export interface CaptchaDesk {
  /** Whether the next call of this action is asked, with a puzzle if so. @throws `base.too_many_requests` */
  record(action: string, who: { person: Person | null; ip: string }): Promise<Static<typeof schemas.record>>
}
export const captchaDesk = service<CaptchaDesk>('captcha.desk')

export const captchaCalls = {
  /** A puzzle for a call that was refused. */
  challenge: call.post<typeof schemas.challenge>('captcha/challenge'),
  /** Which plugin makes puzzles, and what browsers need to know of it. */
  config: call.get<typeof schemas.config>('captcha/config'),
}

export const captchaErrors = defineErrors('error.captcha', {
  verification_failed: { status: 400, message: 'A proof is needed for {action}', field: 'captcha_code' },
})
