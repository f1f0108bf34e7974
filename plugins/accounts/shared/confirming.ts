import type { Person } from '@stoa/sdk'
import { call, defineErrors, service, services } from '@stoa/sdk'
import type { Static } from '@stoa/sdk/schema'
import type * as schemas from './schemas.ts'

/** A field in which a person types what proves who they are. */
export interface ProofField {
  /** Member of what is checked. */
  name: string
  /** Key of a text in the `server` branch. */
  label: string
  /** `code`: digits or letters from elsewhere. `password`: not shown. */
  type: 'code' | 'password'
}

/**
 * A way to prove who one is, beside others: asked for after the password, before something delicate, or in place of the password.
 * It only judges, and uses no `this`; accounts keeps attempts and limits, opens sessions and decides. Several per plugin; each offers its own.
 */
export interface Confirmer {
  /** Unique on the site; begins with the slug of its plugin. */
  id: string
  /** Key of a text in the `server` branch: what people call it. */
  name: string
  /** What is typed. Empty: the browser makes the proof, by a component of the plugin in `accounts.proof`. */
  fields: readonly ProofField[]
  /**
   * `demanded`: whoever has set it up is not let in by the password alone. `accepted`: it does in place of one that is demanded.
   * Undefined: it confirms a session of those for whom nothing is demanded, and no more.
   */
  atLogin?: 'demanded' | 'accepted'
  /** The person has it and could use it now. */
  isSetUp(personId: number): Promise<boolean>
  /**
   * Before it is asked for, such as a challenge. `shown` goes to the browser, `kept` stays here until the proof comes and is given to one proof only.
   * @param personId null: nobody knows yet who it is
   */
  begin?(personId: number | null): Promise<{ shown: unknown; kept: string }>
  /** Whether this is proof of this person. What works once must be used up by one atomic statement. @param given as sent, every member a text of at most 8 KB */
  check(personId: number, given: Record<string, string>, kept: string): Promise<boolean>
  /** Who it is, for a proof that stands in place of address and password: it has to hold something the person has and something they know or are. */
  identify?(given: Record<string, string>, kept: string): Promise<number | undefined>
}
export const confirmers = services<{ confirmers: readonly Confirmer[] }>('accounts.confirmers')

export interface Confirmation {
  /**
   * Asks for a session in which the person proved within the last ten minutes who they are: by signing in or by a {@link Confirmer}. For `before`
   * of a route, or at the beginning of its handler. Pages of the site ask the person and send the call again.
   * @throws 403 `error.session.confirm`
   */
  require(request: { person: Person | null; token: string | null }): Promise<void>
  /**
   * In the transaction in which a person sets up or removes a confirmer that is `demanded`: so it is remembered that the password alone is not
   * enough, also where the plugin does not run. @param slug of the plugin
   */
  demand(personId: number, slug: string, isDemanded: boolean): Promise<void>
  /** Whether somebody could still come in if the plugin `slug` let nobody in: by password, where there is one and the site takes it, or by another way. */
  hasOtherWay(personId: number, slug: string): Promise<boolean>
}
export const confirmation = service<Confirmation>('accounts.confirmation')

/**
 * Another way than the password for people to come in.
 * `letsIn`: which of these people could sign in by it alone now.
 */
export const waysIn = services<{ letsIn(people: readonly number[]): Promise<ReadonlySet<number>> }>('accounts.waysIn')

/** A way to prove who one is, as a page offers it. */
export type ProofMethod = Static<typeof schemas.methodViews>[number]

export const confirmingCalls = {
  /** What is asked for after the password, in the browser that gave it. */
  pending: call.get<typeof schemas.pendingLogin>('user/login/pending'),
  beginLogin: call.post<typeof schemas.beginProof>('user/login/proof/begin'),
  /** Ends a login by a proof: after the password, or in its place. */
  proveLogin: call.post<typeof schemas.proveLogin>('user/login/proof'),
  beginConfirm: call.post<typeof schemas.beginProof>('user/session/confirm/begin'),
  confirm: call.post<typeof schemas.confirmSession>('user/session/confirm'),
}

export const confirmingErrors = {
  ...defineErrors('error.session', {
    confirm: { status: 403, message: 'The session was not confirmed within the last ten minutes' },
  }),
  ...defineErrors('error.accounts', {
    second_step: { status: 400, message: 'The password is right, and something else is demanded of person {id}' },
    second_step_unavailable: { status: 403, message: 'The plugin {slug} that checks the second step of person {id} does not run' },
    attempt_over: { status: 400, message: 'The login was not begun in this browser, is used or too old' },
    proof_wrong: { status: 400, message: 'This is no proof of {method}' },
  }),
}
