import { escapeHtml } from '@stoa/sdk/server'
import { Feed } from 'feed'

export const formats = {
  atom: { type: 'application/atom+xml; charset=utf-8', write: (feed: Feed) => feed.atom1() },
  json: { type: 'application/feed+json; charset=utf-8', write: (feed: Feed) => feed.json1() },
} as const
export type Format = keyof typeof formats

/** Something that was written. Paths are of this site, times in Unix seconds. */
export interface Entry {
  title: string
  path: string
  html: string
  author: { display_name: string; username: string }
  tags: string[]
  createdAt: number
  changedAt: number
}

interface About {
  siteUrl: string
  language: string
  title: string
  description?: string
  /** The page that the feed belongs to. */
  page: string
  /** The feed itself, without its ending. */
  feed: string
  entries: readonly Entry[]
}

/** What no XML document may hold, whatever it is written as. */
const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu
const plain = (text: string): string => text.toWellFormed().replace(FORBIDDEN, '')

/** Addresses in a text lead into this site wherever it is read. */
const absolute = (html: string, siteUrl: string): string =>
  html.replace(/ (href|src)="(\/(?!\/)[^"]*)"/g, (_, name: string, path: string) => ` ${name}="${siteUrl}${path}"`)

export function writeFeed(format: Format, { siteUrl, language, title, description, page, feed, entries }: About): string {
  const whole = (path: string) => siteUrl + path
  const latest = Math.max(0, ...entries.map(({ changedAt }) => changedAt))
  const made = new Feed({
    id: whole(page),
    title: plain(title),
    ...(description && { description: plain(description) }),
    link: whole(page),
    language: language.replace('_', '-'),
    updated: new Date(latest * 1000),
    generator: 'Stoa',
    feedLinks: { [format]: whole(`${feed}.${format}`) },
  })
  for (const { title, path, html, author, tags, createdAt, changedAt } of entries) {
    made.addItem({
      id: whole(path),
      link: whole(path),
      // As the library says it in Atom a title is HTML; without this, words in angle brackets are gone, or worse.
      title: format === 'atom' ? escapeHtml(plain(title)) : plain(title),
      content: absolute(plain(html), siteUrl),
      author: [{ name: plain(author.display_name), ...(author.username && { link: whole(`/users/${author.username}`) }) }],
      category: tags.map((name) => ({ name: plain(name), term: plain(name) })),
      published: new Date(createdAt * 1000),
      date: new Date(changedAt * 1000),
    })
  }
  return formats[format].write(made)
}
