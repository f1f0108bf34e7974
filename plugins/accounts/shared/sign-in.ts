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
  /** Address of a square picture, or empty; shown 20 px wide on white, in the light and in the dark. */
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

/** What has become of a code: nobody has scanned it, somebody has and is asked on their phone, nobody can any more. */
export type QrStatus = 'waiting' | 'scanned' | 'expired'

/**
 * A code that a page of this site shows, to be scanned by an app that is logged in elsewhere. Who scans it is asked there whether they mean this browser
 * (`ctx.host.request()` in `start` knows which it is); the page waits and goes on by itself. Somebody who is shown a stranger's code is warned by nobody
 * else, so a service that does not ask is none for this.
 */
export interface QrMethod extends AnyMethod {
  shape: 'qr'
  /**
   * A new code, of which there may be several in one login: the last one counts.
   * @returns `content`: what stands in the code, at most 1000 characters, and no secret; `kept`: by which {@link poll} knows it, never told to the browser;
   * `seconds`: how long it can be scanned, of which 180 at most count
   * @throws where none can be had now
   */
  start(attempt: SignInAttempt): Promise<{ content: string; kept: string; seconds: number }>
  /**
   * What has become of it; asked every two seconds while the page is open, for ten seconds at most each. A service that tells by itself is told to a route
   * of the plugin, which keeps it for this. Who it is may be told once only.
   * @throws `outsideErrors.sign_in_denied` where the person said no; anything else where it cannot say
   */
  poll(attempt: SignInAttempt, kept: string): Promise<QrStatus | Identity>
}

export type SignInMethod = RedirectMethod | FormMethod | QrMethod
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
  qr: '/users/login/qr',
} as const

export const outsideCalls = {
  offered: call.get<typeof schemas.outsideLogins>('connector/info'),
  own: call.get<typeof schemas.ownOutsideLogins>('connector/user/info'),
  nameAddress: call.post<typeof schemas.nameAddress>('connector/binding/email'),
  /** Name and password for a method of the shape `form`, in the browser that began. `path`: where it leads. */
  prove: call.post<typeof schemas.proveOutside>('connector/form'),
  /** A code to scan, for a method of the shape `qr`, in the browser that began. */
  showQr: call.post<typeof schemas.showQr>('connector/qr'),
  /** What has become of it; `path` where it is `done`. */
  lookQr: call.post<typeof schemas.lookQr>('connector/qr/look'),
  /** The code of the mail, in the browser that began. */
  confirmAddress: call.post<typeof schemas.confirmAddress>('connector/binding/confirm'),
  /** The code of `/users/auth-landing`, in the browser that began. */
  handOver: call.post<typeof schemas.handOver>('connector/session'),
  bind: call.post<typeof schemas.bind>('connector/user/binding'),
  unbind: call.del<typeof schemas.unbind>('connector/user/unbinding'),
  order: call.get<typeof schemas.loginOrder>('connector/order', { admin: true }),
  saveOrder: call.put<typeof schemas.saveLoginOrder>('connector/order', { admin: true }),
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
