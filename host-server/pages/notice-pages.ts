import type { Closure } from '@stoa/sdk/server'
import { escapeHtml } from '@stoa/sdk/server'
import type { CoreManifest } from '../../core/build.ts'
import type { PageMap } from '../../sdk/pages/page-state.ts'
import { CORE_FILES } from '../../sdk/pages/page-state.ts'
import { languageTag } from '../../sdk/web/format.ts'

/** Whether an address leads to one of the pages for logging in and the like, which staff need to get in. */
export const isWayIn = ({ plugins }: PageMap, pathname: string): boolean =>
  plugins.some(([, , routes]) => routes.some(([path, , layout]) => layout === 'plain' && path === pathname.toLowerCase()))

interface NoticeParts {
  core: CoreManifest
  map: PageMap
  siteName: string
  scheme: string
}

/** What a site that serves nobody but staff shows instead of any page, looked at again by the browser until the site is back. */
export function closedPage(
  parts: NoticeParts & {
    closure: Closure
    /** Of the frame's texts. */
    text(key: string): string
    /** Whose reader it is. */
    zone: string
  },
): string {
  const { map, closure, text, zone } = parts
  const { message, until } = closure
  const { login } = map.places
  return noticePage(parts, text('error.maintenance.title'), 60, [
    `<p>${escapeHtml(message || text('error.maintenance.text')).replaceAll('\n', '<br>')}</p>`,
    until > 0 ? `<p>${escapeHtml(text('closed.until').replace('{{time}}', timeText(until, languageTag(map.language), zone)))}</p>` : '',
    login === undefined ? '' : `<p><a href="${escapeHtml(login)}">${escapeHtml(text('closed.login'))}</a></p>`,
  ])
}

/** In place of a page that is not made now. @param title what is said. @param seconds until the browser looks again */
export const busyPage = (parts: NoticeParts, title: string, seconds: number): string => noticePage(parts, title, seconds, [])

/** Whole by itself, without scripts. */
function noticePage({ core, map, siteName, scheme }: NoticeParts, title: string, seconds: number, lines: string[]): string {
  const sheets = core.css.map(
    (file) => `<link rel="stylesheet" href="${CORE_FILES}${escapeHtml(file)}" integrity="${core.integrity[file] ?? ''}">`,
  )
  const styles = map.styles.map(([slug, href]) => `<link rel="stylesheet" href="${escapeHtml(href)}" data-style="${escapeHtml(slug)}">`)
  return [
    `<!doctype html><html lang="${escapeHtml(languageTag(map.language))}" data-scheme="${escapeHtml(scheme)}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">',
    `<meta http-equiv="refresh" content="${seconds}"><title>${escapeHtml(`${title} - ${siteName}`)}</title>`,
    ...sheets,
    ...styles,
    `</head><body><main class="stoa-closed"><p>${escapeHtml(siteName)}</p><h1>${escapeHtml(title)}</h1>${lines.join('')}</main></body></html>`,
  ].join('')
}

const timeText = (seconds: number, language: string, timeZone: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone }).format(seconds * 1000)
