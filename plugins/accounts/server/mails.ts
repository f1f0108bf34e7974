import type { MailMessage, ServerContext } from '@stoa/sdk/server'
import type { ProfileRow } from './tables.ts'

type Template = 'activate' | 'reset' | 'change_email'
/** Mails that tell something; of these only `outside_address` carries a secret, so it is never queued. */
type News =
  | 'archive'
  | 'leaving'
  | 'left'
  | 'stays'
  | 'new_device'
  | 'suspended'
  | 'suspended_until'
  | 'suspension_over'
  | 'bound'
  | 'unbound'
  | 'outside_address'
  | 'outside_known'

const pages: Record<Template, string> = {
  activate: '/users/account-activation',
  reset: '/users/password-reset',
  change_email: '/users/confirm-new-email',
}

/** A job that mails a new code where this mail was not taken. */
export type Again = NonNullable<MailMessage['again']>

/** Where the button leads, and what the words of the mail say; `date` in unix seconds. */
type NewsParams = { link: string; date?: number } & Record<string, string | number>
type Receiver = Pick<ProfileRow, 'email' | 'display_name' | 'language' | 'time_zone'>

export interface Mails {
  /** Sends the mail with a link that carries the code, at once. `language`: the receiver's. @throws what the mail server answered */
  sendLink(template: Template, to: { email: string; name: string; language: string }, code: string, again: Again): Promise<void>
  /** Sends news at once, for a job of one's own. @throws what the mail server answered */
  tell(news: News, to: Receiver, params: NewsParams): Promise<void>
  /** Queues news in the current transaction. */
  queue(news: News, to: Receiver, params: NewsParams): Promise<void>
  linkOf(template: Template, code: string): string
  /** The reason of something, as a line of a mail's text; empty for none. */
  because(reason: string, to: Receiver): string
  /** Sends a code to be typed, at once. */
  sendCode(to: { email: string; name: string; language: string }, code: string): Promise<void>
}

/** Mails of accounts, in words of the receiver's language. */
export function createMails(ctx: ServerContext): Mails {
  const linkOf = (template: Template, code: string) => `${ctx.site.url}${pages[template]}?code=${encodeURIComponent(code)}`

  function written(
    template: Template | News,
    { email, name, language, link, ...params }: { email: string; name: string; language: string; link: string } & Record<string, unknown>,
  ) {
    const text = (part: string) =>
      ctx.host.texts.text(`accounts.mail.${template}.${part}`, { site: ctx.site.name, name, link, ...params }, language)
    const [subject, body, note] = [text('subject'), text('body'), text('ignore')]
    const button = { text: text('button'), url: link }
    return {
      to: email,
      subject,
      language,
      text: `${body}\n\n${link}\n\n${note}\n`,
      parts: { heading: text('heading'), paragraphs: body.split(/\n+/), button, note },
    }
  }

  function news(template: News, to: Receiver, { date, ...params }: NewsParams) {
    const language = mailLanguage(to.language, ctx.site.language)
    return written(template, {
      ...params,
      ...(date !== undefined && { date: dateOf(date, language, to.time_zone) }),
      email: to.email,
      name: to.display_name,
      language,
    })
  }

  return {
    linkOf,
    async sendCode(to, code) {
      const params = { site: ctx.site.name, name: to.name, code }
      const text = (part: string) => ctx.host.texts.text(`accounts.mail.confirm.${part}`, params, to.language)
      const [subject, body, note] = [text('subject'), text('body'), text('ignore')]
      await ctx.host.mail.deliver({
        to: to.email,
        subject,
        language: to.language,
        text: `${body}\n\n${code}\n\n${note}\n`,
        parts: { heading: text('heading'), paragraphs: [...body.split(/\n+/), code], note },
      })
    },
    async sendLink(template, to, code, again) {
      await ctx.host.mail.deliver({ ...written(template, { ...to, link: linkOf(template, code) }), again })
    },
    async tell(template, to, params) {
      await ctx.host.mail.deliver(news(template, to, params))
    },
    because: (reason, to) =>
      reason === ''
        ? ''
        : `\n${ctx.host.texts.text('accounts.mail.because', { reason: reason.replace(/\s+/g, ' ') }, mailLanguage(to.language, ctx.site.language))}`,
    // Whose account is gone has left no address here.
    queue: (template, to, params) => ctx.host.mail.send({ ...news(template, to, params), ...(template === 'left' && { forgets: true }) }),
  }
}

/** With its time zone: a mail is read anywhere. */
function dateOf(seconds: number, language: string, timeZone: string): string {
  const format = { dateStyle: 'long', timeStyle: 'long', timeZone: timeZone || 'UTC' } as const
  return new Intl.DateTimeFormat(language.replace('_', '-'), format).format(seconds * 1000)
}

/** Language for mails to somebody: the chosen one, else the one at hand. */
export const mailLanguage = (chosen: string, atHand: string): string => (chosen === '' || chosen === 'Default' ? atHand : chosen)
