import type { ServerContext } from '@stoa/sdk/server'
import type { ChannelItem, ChannelMessage } from '../../notifications/shared/api.ts'
import type { Block, Letter } from './letter.ts'

/** Where people choose what they are told of; a page of the notifications. */
const SETTINGS = '/users/settings/notify'
/** Everything that happened, as the notifications list it. */
const INBOX = '/users/notifications/inbox'

/** The mail about one thing that happened, or about what has gathered. */
export function noticeLetter(ctx: ServerContext, message: ChannelMessage): Letter {
  const { frequency, items, more, language } = message
  const text = (key: string, params?: Record<string, unknown>) => ctx.host.texts.text(`mail.notice.${key}`, params, language)
  const site = ctx.site.name
  const footer = {
    site: { text: site, url: ctx.site.url },
    why: text(`why.${frequency}`),
    links: [
      { text: text('unsubscribe'), url: message.unsubscribeUrl },
      { text: text('settings'), url: `${ctx.site.url}${SETTINGS}` },
    ],
  }
  const [first] = items
  if (frequency === 'immediately' && first) {
    const { title, about, summary, url } = first
    return {
      language,
      subject: about === '' ? text('subject_alone', { site, title }) : text('subject', { site, title, about }),
      preview: summary || about,
      heading: title,
      blocks: about === '' && summary === '' ? [] : [{ entry: { title: about, url, text: summary } }],
      button: { text: text('open'), url },
      footer,
    }
  }
  const count = items.length + more
  return {
    language,
    subject: text(`${frequency}.subject`, { site, count }),
    preview: items
      .slice(0, 3)
      .map(({ about, title }) => about || title)
      .join(' · '),
    heading: text(`${frequency}.heading`),
    blocks: [...items.map(blockOf), ...(more > 0 ? [{ paragraph: text('more', { count: more }) }] : [])],
    button: { text: text('all'), url: `${ctx.site.url}${INBOX}` },
    footer,
  }
}

const blockOf = ({ title, about, summary, url }: ChannelItem): Block => ({
  entry: about === '' ? { title, url, text: summary } : { about: title, title: about, url, text: summary },
})
