import type { SetupValues, SwitchNote } from '../administration/index.ts'
import type { CodedError, Person } from '../shared/index.ts'
import { bail, defineErrors, event, parallel, series, waterfall } from '../shared/index.ts'
import type { RequestInfo } from './context.ts'
import type { MailMessage, MailRefusal } from './services.ts'
import type { SettingsSaved } from './setting-changes.ts'

/** Somebody who was given a page. */
export interface Visit extends Pick<RequestInfo, 'person' | 'ip' | 'userAgent'> {
  /** Of the page's address: `/members/ana`. */
  path: string
}

export type { SwitchNote }

/** A call that is let in and whose input fits its schema, before it is handled. */
export interface CallAbout {
  readonly method: string
  /** As the route has it. */
  readonly path: string
  /** Members of the body, of a GET those of the query. A tap takes out what is its own. */
  readonly fields: Record<string, unknown>
  readonly person: Person | null
  /** Address of the client. */
  readonly ip: string
}

/** Moments that belong to the kernel itself. */
export const kernelHooks = {
  /** In the transaction that completes the installation; the first admin (principal 1) exists. A throwing tap undoes all of it. */
  installed: series<(values: SetupValues & { adminId: number }) => void>('kernel.installed', { onFault: 'refuse' }),
  /**
   * Somebody was given a page that the server had rendered, be it one that was kept, or is shown one whose data the browser had fetched ahead
   * ({@link RouteRequest.isAhead}): its data is not asked for again. Runs after the reply. The calls that the page was made of ran for nobody: see {@link RouteRequest.isInternal}.
   */
  documentServed: parallel<(visit: Visit) => void>('kernel.documentServed'),
  /** Somebody has saved a page of settings; in the transaction that stores them where there is one. Whoever stores settings runs it. */
  settingsSaved: series<(saved: SettingsSaved) => void>('kernel.settingsSaved'),
  /**
   * Before plugins are switched or removed, by slug, with those that go along: a tap adds what their going means, such as people who could not
   * log in any more. Asked for plans too, so it changes nothing.
   */
  switching: waterfall<(notes: readonly SwitchNote[], change: { off: readonly string[]; on: readonly string[] }) => readonly SwitchNote[]>(
    'kernel.switching',
    { shape: [{ text: 'string', params: 'object?', refuses: 'boolean?' }] },
  ),
  /**
   * Somebody's call is about to be handled: the first tap that returns an error refuses it, before anything has happened. Not run for what the server
   * asks itself to render a page.
   */
  calling: bail<(call: CallAbout) => CodedError>('kernel.calling'),
  /** It was answered with this status, or refused with it for this reason, the code of the error; empty for none. */
  called: parallel<(call: CallAbout, outcome: { status: number; reason: string }) => void>('kernel.called'),
  /** Before a mail is sent, in no request: a tap may lay out its parts as `html`, or change it otherwise. */
  beforeMail: waterfall<(message: MailMessage) => MailMessage>('kernel.beforeMail', {
    shape: {
      to: 'string',
      subject: 'string',
      text: 'string',
      html: 'string?',
      parts: 'object?',
      language: 'string?',
      unsubscribe: 'string?',
      id: 'string?',
      again: 'object?',
      forgets: 'boolean?',
    },
  }),
  /** A mail was tried, in no transaction: the server has taken it where there is no refusal. */
  mailTried: series<(message: MailMessage, refusal: MailRefusal | undefined) => void>('kernel.mailTried'),
}

export const kernelEvents = {
  /** State, role or login of a principal changed. */
  principalChanged: event<{ id: number }>('kernel.principalChanged'),
}

/** Refusals of the guards; clients of the protocol look at `data.type`. */
export const accessErrors = {
  ...defineErrors('error.email', { need_to_be_verified: { status: 403, message: 'The account is not activated' } }),
  ...defineErrors('error.user', { suspended: { status: 403, message: 'The account is suspended' } }),
  ...defineErrors('base', {
    unauthorized_error: { status: 403, message: 'Only for {role}' },
    more_needed: { status: 403, message: 'More than a password is demanded of staff' },
    closed: { status: 503, message: 'The site is closed for now' },
    read_only: { status: 403, message: 'The site can only be read for now' },
  }),
}
