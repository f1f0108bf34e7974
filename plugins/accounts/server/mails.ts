import type { MailMessage, ServerContext } from '@stoa/sdk/server'

type Template = 'activate' | 'reset' | 'change_email'

const pages: Record<Template, string> = {
  activate: '/users/account-activation',
  reset: '/users/password-reset',
  change_email: '/users/confirm-new-email',
}

/** A job that mails a new code where this mail was not taken. */
export type Again = NonNullable<MailMessage['again']>

export interface Mails {
  /** Sends the mail with a link that carries the code, at once. `language`: the receiver's. @throws what the mail server answered */
  sendLink(template: Template, to: { email: string; name: string; language: string }, code: string, again: Again): Promise<void>
  linkOf(template: Template, code: string): string
}

/** Mails of accounts, in words of the receiver's language. */
export function createMails(ctx: ServerContext): Mails {
  const linkOf = (template: Template, code: string) => `${ctx.site.url}${pages[template]}?code=${encodeURIComponent(code)}`
  return {
    linkOf,
    async sendLink(template, { email, name, language }, code, again) {
      const params = { site: ctx.site.name, name }
      const url = linkOf(template, code)
      const text = (part: string) => ctx.host.texts.text(`accounts.mail.${template}.${part}`, params, language)
      const [body, note] = [text('body'), text('ignore')]
      await ctx.host.mail.deliver({
        to: email,
        subject: text('subject'),
        language,
        text: `${body}\n\n${url}\n\n${note}\n`,
        parts: { heading: text('heading'), paragraphs: body.split(/\n+/), button: { text: text('button'), url }, note },
        again,
      })
    },
  }
}

/** Language for mails to somebody: the chosen one, else the one at hand. */
export const mailLanguage = (chosen: string, atHand: string): string => (chosen === '' || chosen === 'Default' ? atHand : chosen)
