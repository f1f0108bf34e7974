import type { MailMessage, ServerContext } from '@stoa/sdk/server'
import { htmlOf } from './letter.ts'

/** Puts a mail that comes in parts into the common frame; its plain text stays as its sender wrote it. */
export function layOut(ctx: ServerContext, message: MailMessage): MailMessage | undefined {
  if (!message.parts || message.html !== undefined) return undefined
  const { heading, paragraphs, button, note } = message.parts
  const html = htmlOf({
    subject: message.subject,
    language: message.language ?? ctx.site.language,
    heading,
    blocks: paragraphs.map((paragraph) => ({ paragraph })),
    ...(button && { button }),
    ...(note !== undefined && { note }),
    footer: { site: { text: ctx.site.name, url: ctx.site.url } },
  })
  return { ...message, html }
}
