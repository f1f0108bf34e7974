import type { BodyOf } from '@stoa/sdk'
import { fieldErrors } from '@stoa/sdk'
import type { MailMessage, MailRefusal, Route, ServerContext, SmtpSettings } from '@stoa/sdk/server'
import { kernelHooks, route, settingChanges } from '@stoa/sdk/server'
import { mailCalls, mailErrors } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import { otherEncryptionOf } from '../shared/usual-ports.ts'
import type { Refused } from './refused.ts'

/** Stands for a stored password, which never leaves the server; sent back, it keeps that. */
const MASK = '***********'

const ADDRESS = /^[^\s\p{C}@<>()[\],;:"\\]+@[^\s\p{C}@<>()[\],;:"\\]+$/u
const HOST = /^[\p{L}\p{N}._:-]*$/u

/** The field of the form that is to be looked at. */
const fieldOf: Record<MailRefusal['at'], string> = {
  server: 'smtp_host',
  encryption: 'encryption',
  login: 'smtp_username',
  sender: 'from_email',
  receiver: 'test_email_recipient',
  message: 'test_email_recipient',
}

/** What to do about a server that was not reached, or did not let the site in; the first that fits. */
const CAUSES: [pattern: RegExp, text: string][] = [
  [/ECONNREFUSED/, 'nobody_listens'],
  [/ENOTFOUND|EAI_AGAIN|EDNS/, 'no_such_host'],
  [/certificate|self.signed/i, 'certificate'],
  [/wrong version number|packet length|STARTTLS|\b(TLS|SSL)\b/i, 'encryption'],
  [/ETIMEDOUT|timed? ?out|greeting never/i, 'silent'],
]

function causeOf({ at, reason }: MailRefusal, { smtp_port, encryption }: SmtpSettings): string {
  if (at === 'login') return 'login'
  const cause = CAUSES.find(([pattern]) => pattern.test(reason))?.[1] ?? 'server'
  const suited = otherEncryptionOf(smtp_port, encryption)
  // One waits for the other to begin, or does not understand its first words.
  return suited && cause !== 'nobody_listens' && cause !== 'no_such_host' ? `port_suits_${suited}` : cause
}

/** Sender and server, as the admin sets them. */
export function settingsRoutes(ctx: ServerContext, refused: Refused): Route[] {
  const { server } = ctx.host.mail

  /** What would be stored. @throws at the password, where the stored one would be sent to another server or for another account */
  function completed(given: BodyOf<typeof mailCalls.testSmtp>): SmtpSettings {
    const stored = server.get()
    const next = filledIn(given, stored)
    const isMoved = next.smtp_host !== stored.smtp_host || next.smtp_username !== stored.smtp_username
    const isTyped = given.smtp_password !== undefined && given.smtp_password !== MASK
    if (!isMoved || isTyped || stored.smtp_password === '') return next
    if (next.smtp_authentication && next.smtp_host !== '') throw fieldErrors({ smtp_password: 'validation.secret_again' })
    return { ...next, smtp_password: '' }
  }

  function filledIn(given: BodyOf<typeof mailCalls.testSmtp>, stored: SmtpSettings): SmtpSettings {
    return {
      ...stored,
      ...given,
      from_email: (given.from_email ?? stored.from_email).trim(),
      from_name: (given.from_name ?? stored.from_name).replaceAll(/[\p{C}\s]+/gu, ' ').trim(),
      smtp_host: (given.smtp_host ?? stored.smtp_host).trim(),
      smtp_password: given.smtp_password === undefined || given.smtp_password === MASK ? stored.smtp_password : given.smtp_password,
    }
  }

  /** @param recipient of a test mail; empty: none is sent */
  function checked(settings: SmtpSettings, recipient: string, isTried = recipient !== ''): void {
    const { from_email, from_name, smtp_host, smtp_authentication, smtp_username } = settings
    const errors: Record<string, string> = {}
    if (from_email !== '' && !ADDRESS.test(from_email)) errors.from_email = 'mail.error.address'
    if (/\S@\S/.test(from_name)) errors.from_name = 'mail.error.name_is_address'
    if (!HOST.test(smtp_host)) errors.smtp_host = 'mail.error.host'
    else if (isTried && smtp_host === '' && !server.isFixed) errors.smtp_host = 'mail.error.no_server'
    if (smtp_host !== '' && smtp_authentication && smtp_username === '') errors.smtp_username = 'mail.error.username'
    if (recipient !== '' && !ADDRESS.test(recipient)) errors.test_email_recipient = 'mail.error.address'
    if (Object.keys(errors).length > 0) throw fieldErrors(errors)
  }

  function testMail(to: string, language: string): MailMessage {
    const text = (part: string) => ctx.host.texts.text(`mail.test.${part}`, { site: ctx.site.name }, language)
    const parts = { heading: text('heading'), paragraphs: [text('body')], button: { text: text('button'), url: ctx.site.url } }
    return { to, language, subject: text('subject'), parts, text: `${parts.heading}\n\n${text('body')}\n\n${ctx.site.url}\n` }
  }

  return [
    route(mailCalls.smtp, schemas.smtp, {
      access: 'admin',
      summary: 'Settings: sender and server of mails',
      handle: () => {
        const settings = server.get()
        return { ...settings, smtp_password: settings.smtp_password === '' ? '' : MASK }
      },
    }),
    route(mailCalls.saveSmtp, schemas.saveSmtp, {
      access: 'admin',
      summary: 'Save sender and server of mails; with a recipient only if the server takes a test mail',
      handle: async ({ body, language, person }) => {
        const { test_email_recipient = '', ...given } = body
        const stored = server.get()
        const settings = completed(given)
        const recipient = test_email_recipient.trim()
        checked(settings, recipient)
        if (recipient !== '') {
          const refusal = await server.probe(settings, testMail(recipient, language))
          const field = refusal && (server.isFixed ? 'test_email_recipient' : fieldOf[refusal.at])
          if (field) throw fieldErrors({ [field]: 'mail.error.refused' }, { reason: refusal.reason })
        }
        await server.set(settings)
        // Another server may be let in where this one was not.
        if (settings.smtp_host !== stored.smtp_host || settings.from_email !== stored.from_email) await refused.forget({})
        const say = (field: string, value: unknown) =>
          field === 'encryption' ? { text: `mail.value.encryption.${value || 'none'}` } : undefined
        const changes = settingChanges(stored, settings, ['smtp_password'], say).map((change) => ({
          ...change,
          field: `mail.field.${change.field}`,
        }))
        const label = ctx.host.texts.text('mail.settings', {}, ctx.site.language)
        await ctx.run(kernelHooks.settingsSaved, { page: '/admin/smtp', label, personId: person.id, changes })
      },
    }),
    route(mailCalls.testSmtp, schemas.testSmtp, {
      access: 'admin',
      summary: 'Connect to the mail server by these settings, log in and leave; nothing is sent or stored',
      limit: { action: 'mail.test', max: 60, seconds: 600, by: 'person', countsStaff: true },
      handle: async ({ body }) => {
        const settings = completed(body)
        checked(settings, '', true)
        const refusal = await server.greet(settings)
        if (!refusal) return
        const cause = causeOf(refusal, settings)
        const field = cause === 'nobody_listens' ? 'smtp_port' : cause.startsWith('port_suits') ? 'encryption' : fieldOf[refusal.at]
        throw mailErrors.does_not_work({ reason: refusal.reason, port: settings.smtp_port }, [
          { error_field: field, error_msg: `mail.error.greet.${cause}` },
        ])
      },
    }),
    route(mailCalls.server, schemas.server, {
      access: 'admin',
      summary: 'Where mails go',
      handle: () => ({ is_fixed: server.isFixed, is_missing: !server.isFixed && server.get().smtp_host === '' }),
    }),
  ]
}
