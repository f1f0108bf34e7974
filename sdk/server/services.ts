import type { Person, PersonState, RoleId } from '../shared/index.ts'

/** @returns field → text key of what is wrong */
type SettingsCheck = (values: Record<string, unknown>) => Record<string, string> | undefined | Promise<Record<string, string> | undefined>

/** Values of a config form. Masked secrets never come back through here. */
export interface Settings {
  /** Defaults of the manifest filled in. */
  get<T = Record<string, unknown>>(): T
  set(values: Record<string, unknown>): Promise<void>
  /** A form save is refused when `check` returns errors (field → text key). */
  onSave(check: SettingsCheck): void
  /**
   * Whether what the values name works, such as a server with its password. Asked before a save, after what {@link onSave} says, and when an admin presses
   * "Test connection", with values that are not saved yet. What does not work replaces nothing, unless the admin insists. It ends by itself within seconds.
   */
  onTest(test: SettingsCheck): void
}

export interface MemberSettings {
  /** What a person has chosen, defaults of the manifest filled in. One look into the database. */
  of<T = Record<string, unknown>>(personId: number): Promise<T>
}

export interface Principal extends Person {
  /** Lower-case address to log in with; unique. */
  login: string
  hasPassword: boolean
  /** The password alone does not let this person in: whoever signs people in asks for more, and the rescue page takes no password. */
  needsMore: boolean
  createdAt: number
  /**
   * Another number after every change of address, password, role, state or {@link needsMore}, whoever made it. What was granted to somebody, such as a mailed
   * code, is kept with it and ends when it differs.
   */
  revision: number
}

export interface Session {
  /** 256-bit random text; only its hash is stored. */
  token: string
  /** Second token of the protocol's `visit` cookie. */
  visitToken: string
}

/** Where a session is used. */
export interface SessionPlace {
  /** Address of the caller. */
  ip: string
  userAgent: string
}

/** A session as its person sees it. Moments are unix seconds. */
export interface OpenSession extends SessionPlace {
  /** Names it in the list; lets nobody in. */
  id: string
  createdAt: number
  /** Of the last use that was written down: at most ten minutes before the last. */
  usedAt: number
  /** It is the one that asks. */
  isCurrent: boolean
}

/** A password as it is stored. */
export interface PasswordHash {
  hash: string
}

/** Principals, passwords (argon2id) and sessions. Changes take effect on open sessions at once. */
export interface SignInAttempt {
  /** As typed. */
  login: string
  password: string
  /** Address of the caller. */
  ip: string
  /** Value of the browser's cookie, as it came. */
  browser?: string | undefined
}

/** The cookie that carries a session to documents, uploads and streams; the kernel reads it, whoever signs people in sets it. Seconds. */
export const sessionCookie = { name: 'stoa_session', maxAge: 7 * 24 * 3600 } as const

/** The cookie by which a browser is known in which somebody signed in; it lets nobody in. `maxAge` in seconds. */
export const browserCookie = { name: 'stoa_browser', maxAge: 365 * 24 * 3600 } as const

export interface Credentials {
  /** @param values a password, or what `hash` made of it; inside a write only that, since hashing takes tens of milliseconds */
  create(values: { login: string; password?: string | PasswordHash; role?: RoleId; state?: PersonState }): Promise<Principal>
  hash(password: string): Promise<PasswordHash>
  find(id: number): Promise<Principal | undefined>
  /**
   * As they are now, held until the current transaction ends: nobody else changes them meanwhile. Whoever decides about somebody, or opens a session,
   * looks at them again by this; what was read before the transaction may be of yesterday. Unknown ones are left out.
   */
  hold(ids: readonly number[]): Promise<Map<number, Principal>>
  findByLogin(login: string): Promise<Principal | undefined>
  /** Same time for a wrong password and an unknown address. */
  verify(login: string, password: string): Promise<Principal | undefined>
  /**
   * As `verify`, for somebody who signs in: attempts are limited by network, account and over all, each account once for all its spellings.
   * What it returns for a browser belongs into its cookie {@link browserCookie}; who brings that along is not kept out by what strangers try.
   * @throws `base.too_many_requests`
   */
  signIn(attempt: SignInAttempt): Promise<{ principal: Principal; browser: string } | undefined>
  checkPassword(id: number, password: string): Promise<boolean>
  /** @param password or what `hash` made of it; inside a write only that */
  setPassword(id: number, password: string | PasswordHash): Promise<void>
  setLogin(id: number, login: string): Promise<void>
  setState(id: number, state: PersonState): Promise<void>
  setRole(id: number, role: RoleId): Promise<void>
  /** Pending grants end, as with a new password. */
  setNeedsMore(id: number, needsMore: boolean): Promise<void>
  /** Deletes somebody for good: nothing is left but the number. Their address is free, and nobody can log in as them again. */
  erase(id: number): Promise<void>
  /** Lives 7 days. `from`: who asks for it, for the list of sessions. */
  openSession(id: number, from?: SessionPlace): Promise<Session>
  /** Open ones, used last first, at most a hundred. @param token of the one that asks */
  sessionsOf(id: number, token?: string): Promise<OpenSession[]>
  /** Ends one of somebody's sessions by its id in the list; nothing happens for one that is not theirs. */
  endSession(personId: number, sessionId: string): Promise<void>
  /**
   * Whether the person has signed in by this browser before, by the value of its {@link browserCookie}. What was made in the last minutes does not
   * count. @returns the value that belongs into the cookie now; empty for somebody without a password
   */
  recogniseBrowser(id: number, mark: string | undefined): Promise<{ isKnown: boolean; mark: string }>
  closeSession(token: string): Promise<void>
  /** `exceptToken`: this one stays. */
  closeSessions(id: number, exceptToken?: string): Promise<void>
  /** The token was of somebody who is deleted now; it lets nobody in, like an unknown one. */
  isOfDeleted(token: string): Promise<boolean>
  /** People in their normal state without a password, by number, at most `limit`: how they log in is a matter of plugins. */
  withoutPassword(limit: number): Promise<number[]>
  /** People with a role, for lists of staff. */
  withRole(role: RoleId): Promise<Principal[]>
}

export interface Storage {
  /** @param path `post/ab12.png`: letters, digits, `-_./`; no `..`. @returns absolute address below `/uploads/`. */
  put(path: string, data: Buffer, type: string): Promise<string>
  get(path: string): Promise<Buffer | undefined>
  /** With everything that was made of it. */
  delete(path: string): Promise<void>
  /** From now on only staff and its owner can see it. Nothing happens where no file is, or a hidden one. */
  hide(path: string, ownerId?: number): Promise<void>
  /** Takes `hide` back. */
  show(path: string): Promise<void>
}

export interface Images {
  /**
   * What it is, without decoding it. All three wait their turn, and are given up after a while.
   * @throws when it is no image that can be decoded; `base.busy` (503) while too many wait. Megapixels are checked by the caller, `frames` times
   */
  inspect(data: Buffer): Promise<{ format: string; width: number; height: number; frames: number }>
  /** The same format without metadata, rotated upright. Animated pictures stay animated. */
  clean(data: Buffer): Promise<Buffer>
  /** Square thumbnail, edge in pixels, as WebP. */
  thumbnail(data: Buffer, edge: number): Promise<Buffer>
}

/** What a mail says, in parts, for whoever lays mails out (`kernelHooks.beforeMail`). Plain text; nothing of it is escaped. */
export interface MailParts {
  heading: string
  paragraphs: readonly string[]
  button?: { text: string; url: string }
  /** Below the button, smaller. */
  note?: string
}

export interface MailMessage {
  /** One address. */
  to: string
  /** One line, at most 200 characters: what is more is cut, and a line break becomes a space. */
  subject: string
  /** All of the mail, for programs that show no HTML. */
  text: string
  html?: string
  /** The same as `text`, for whoever lays mails out; sent as plain text where nobody does. */
  parts?: MailParts
  /** Language it is written in, such as `zh_CN`. */
  language?: string
  /** Absolute address that ends mails of this kind by one POST, without a login or a question (RFC 8058). */
  unsubscribe?: string
  /** Names this mail among all of the site, such as `digest-17`: tried again, it has the same Message-ID. */
  id?: string
  /** A job that sends it anew, for the list of mails that did not arrive. It is stored, so it carries nothing secret. */
  again?: { job: string; payload: unknown }
  /**
   * The receiver is to be forgotten: it waits in the queue while another try may help, stands in no list of mails that did not arrive, and nothing of
   * it is kept after the last try.
   */
  forgets?: boolean
}

/** Why a mail was not taken. */
export interface MailRefusal {
  /** In the words of the server, or of the network. */
  reason: string
  /** What is to be looked at. */
  at: 'server' | 'encryption' | 'login' | 'sender' | 'receiver' | 'message'
  /** The server will not take this mail, whoever tries again. */
  isFinal: boolean
}

export interface Mail {
  /** Queued in the current transaction; sent by SMTP, or written to `<data>/mail` when none is set. Links are logged then. */
  send(message: MailMessage): Promise<void>
  /**
   * Sends at once, for a job of the plugin's own: the words stand in no queue, so that what they carry is stored nowhere. Takes as long as the
   * server does.
   * @returns the refusal of a server that will not take it, whoever tries again
   * @throws what it answered, where another try may help
   */
  deliver(message: MailMessage): Promise<MailRefusal | undefined>
  /** Sender and server; refused to plugins that do not ask for `kernel.mail` in their permissions. */
  readonly server: MailServer
}

/** Sender and server of mails, in the protocol's names. */
export interface SmtpSettings {
  /** Empty: `noreply@` and the site's host. */
  from_email: string
  /** Empty: the site's name. */
  from_name: string
  /** Empty: mails are written into files. */
  smtp_host: string
  smtp_port: number
  /** `SSL`: from the first byte on. `TLS`: STARTTLS, or not at all. Empty: encrypted where the server offers it, whatever its certificate. */
  encryption: '' | 'SSL' | 'TLS'
  smtp_username: string
  smtp_password: string
  smtp_authentication: boolean
}

export interface MailServer {
  /** The server is set where the site is started (`SMTP_URL`): of the settings only the sender counts. */
  readonly isFixed: boolean
  get(): SmtpSettings
  set(values: Partial<SmtpSettings>): Promise<void>
  /** Connects by these settings, logs in and leaves: nothing is sent or stored. @returns why it did not work; undefined also where no server is named */
  greet(settings: SmtpSettings): Promise<MailRefusal | undefined>
  /** Sends at once by these settings, which are stored nowhere. @returns undefined when the server has taken it */
  probe(settings: SmtpSettings, message: MailMessage): Promise<MailRefusal | undefined>
}

export interface Texts {
  /** Text of a key in the `server` branch of active plugins; the key itself when nobody has it. Default language: the request's. */
  text(key: string, params?: Record<string, unknown>, language?: string): string
  /** Whole tree of `web` texts, slug → tree, for `language/config`. */
  tree(language: string): Record<string, unknown>
  languages(): { code: string; label: string; progress: number }[]
}
