import type { Person } from '@stoa/sdk'
import { call, defineErrors, service, services } from '@stoa/sdk'
import type * as schemas from './schemas.ts'

/** Who somebody is elsewhere. */
export interface Identity {
  /** By which the other side knows them, for ever: never an address or a name that may be given to somebody else. At most 255 characters. */
  externalId: string
  /** `verified` only where the other side has proven that the address is theirs. */
  emails?: readonly { address: string; verified: boolean }[]
  displayName?: string
  username?: string
}

/** A login that is under way: made by accounts, good once, for ten minutes and in one browser. */
export interface SignInAttempt {
  /** Letters and digits only, as some sites demand; 64. */
  state: string
  nonce: string
  codeVerifier: string
  /** S256 of the verifier. */
  codeChallenge: string
  /** Where the other site is to send people back to. */
  callback: string
  language: string
}

/** What all methods have. They judge who comes; they see neither a session nor a token of this site. */
interface AnyMethod {
  /** Unique on the site: the slug of the plugin, or that with a dot and more behind it. Lower-case letters, digits, `.-`. */
  id: string
  /** What people call it, shown as it is. */
  name: string
  /** Address of a picture, or empty. */
  icon?: string
  /** False: it is not offered, and lets nobody in. Such as one whose settings are not filled in. */
  usable?(): boolean
}

/** A login at another site, which people are sent to and come back from. */
export interface RedirectMethod extends AnyMethod {
  shape: 'redirect'
  /** Address to send somebody to. */
  start(attempt: SignInAttempt): Promise<string>
  /** Who came back. `came`: address of the callback with what the other site added; `state` has been judged. @throws when it proves nobody; `outsideErrors.sign_in_denied` where the person did not want to */
  finish(attempt: SignInAttempt, came: string): Promise<Identity>
}

/** A name and a password of another place, such as a directory, typed on this site. */
export interface FormMethod extends AnyMethod {
  shape: 'form'
  /**
   * Who has this name and password. Asked only within the limits of tries, never with an empty name or password, and for ten seconds at most.
   * @returns undefined where they are wrong, which it tells in no other way
   * @throws when it cannot say, such as when the directory does not answer
   */
  check(given: FormProof): Promise<Identity | undefined>
}
export interface FormProof {
  /** At most 200 characters. */
  name: string
  /** At most 200 characters; neither kept nor written to a log. */
  password: string
}

export type SignInMethod = RedirectMethod | FormMethod
/** Ways to log in that are known elsewhere. Several per plugin. */
export const signInMethods = services<{ methods(): readonly SignInMethod[] }>('accounts.signInMethods')

/** What is asked of the request of the person who signs in. */
export interface SignInRequest {
  person: Person | null
  headers: { cookie?: string | undefined }
  language: string
}

/** What is asked of the reply. */
export interface SignInReply {
  cookie(name: string, value: string, options: { maxAge: number }): void
}

/** Why somebody is not let in; named on the page of the login, or of the settings. */
export type SignInRefusal =
  | 'closed'
  | 'denied'
  | 'domain'
  | 'elsewhere'
  | 'failed'
  | 'expired'
  | 'other_person'
  | 'second'
  | 'suspended'
  | 'taken'
  | 'unavailable'

/** For plugins that have addresses of their own for people to come back to. All others provide {@link signInMethods}. */
export interface SignIn {
  /**
   * Begins a login, or binding an identity to the person who asks.
   * @param asked `returnTo`: path of this site
   * @returns address to send them to
   */
  begin(asked: { method: string; intent: 'login' | 'bind'; returnTo?: string }, request: SignInRequest, reply: SignInReply): Promise<string>
  /**
   * Decides about somebody who has proven elsewhere who they are: log in, create, bind, ask for an address, or refuse.
   * @returns path of this site to send them to
   */
  complete(state: string, identity: Identity, request: SignInRequest): Promise<string>
  /** How the method knows somebody; undefined where nothing is bound. */
  externalIdOf(personId: number, method: string): Promise<string | undefined>
}
export const signIn = service<SignIn>('accounts.signIn')

export const outsidePaths = {
  login: '/answer/api/v1/connector/login/:slug',
  callback: '/answer/api/v1/connector/redirect/:slug',
  form: '/users/login/form',
} as const

export const outsideCalls = {
  offered: call.get<typeof schemas.outsideLogins>('connector/info'),
  own: call.get<typeof schemas.ownOutsideLogins>('connector/user/info'),
  nameAddress: call.post<typeof schemas.nameAddress>('connector/binding/email'),
  /** Name and password for a method of the shape `form`, in the browser that began. `path`: where it leads. */
  prove: call.post<typeof schemas.proveOutside>('connector/form'),
  /** The code of the mail, in the browser that began. */
  confirmAddress: call.post<typeof schemas.confirmAddress>('connector/binding/confirm'),
  /** The code of `/users/auth-landing`, in the browser that began. */
  handOver: call.post<typeof schemas.handOver>('connector/session'),
  bind: call.post<typeof schemas.bind>('connector/user/binding'),
  unbind: call.del<typeof schemas.unbind>('connector/user/unbinding'),
}

export const outsideErrors = {
  ...defineErrors('error.accounts', {
    sign_in_over: { status: 400, message: 'The login was not begun in this browser, is used or too old' },
    wrong_proof: { status: 400, message: 'The method knows nobody by this name and password' },
    /** Thrown by `finish` of a method: the person said no at the other site. */
    sign_in_denied: { status: 403, message: 'The person said no at the other site' },
    method_unavailable: { status: 400, message: 'No method {method} is offered now' },
    last_way: { status: 400, message: 'Without {method} nothing would let person {id} in' },
    not_bound: { status: 404, message: 'The person has no such login' },
  }),
}
