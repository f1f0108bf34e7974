import type { ServerContext } from '@stoa/sdk/server'

type Template = 'activate' | 'reset' | 'change_email'

const pages: Record<Template, string> = {
  activate: '/users/account-activation',
  reset: '/users/password-reset',
  change_email: '/users/confirm-new-email',
}

export interface Mails {
  /** Sends the mail with a link that carries the code, at once. `language`: the receiver's. @throws what the mail server answered */
  sendLink(template: Template, to: { email: string; name: string; language: string }, code: string): Promise<void>
  linkOf(template: Template, code: string): string
  /** Sends a code to be typed, at once. */
  sendCode(to: { email: string; name: string; language: string }, code: string): Promise<void>
}

/** Mails of accounts, in words of the receiver's language. */
export function createMails(ctx: ServerContext): Mails {
  const linkOf = (template: Template, code: string) => `${ctx.site.url}${pages[template]}?code=${encodeURIComponent(code)}`
  return {
    linkOf,
    async sendCode(to, code) {
      const params = { site: ctx.site.name, name: to.name, code }
      const text = (part: string) => ctx.host.texts.text(`accounts.mail.confirm.${part}`, params, to.language)
      await ctx.host.mail.deliver({ to: to.email, subject: text('subject'), text: `${text('body')}\n\n${code}\n\n${text('ignore')}\n` })
    },
    async sendLink(template, to, code) {
      const params = { site: ctx.site.name, name: to.name, link: linkOf(template, code) }
      const text = (part: string) => ctx.host.texts.text(`accounts.mail.${template}.${part}`, params, to.language)
      const body = text('body')
      const ignore = text('ignore')
      await ctx.host.mail.deliver({
        to: to.email,
        subject: text('subject'),
        text: `${body}\n\n${params.link}\n\n${ignore}\n`,
        html: htmlOf(body, params.link, text('button'), ignore),
      })
    },
  }
}

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

function htmlOf(body: string, link: string, button: string, ignore: string): string {
  const paragraphs = body
    .split(/\n+/)
    .map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`)
    .join('')
  return `${paragraphs}<p><a href="${escapeHtml(link)}">${escapeHtml(button)}</a></p><p>${escapeHtml(link)}</p><p>${escapeHtml(ignore)}</p>`
}

/** Language for mails to somebody: the chosen one, else the one at hand. */
export const mailLanguage = (chosen: string, atHand: string): string => (chosen === '' || chosen === 'Default' ? atHand : chosen)
