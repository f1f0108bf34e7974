import type { Site, TestPerson } from '@stoa/sdk/testing'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright'

export interface ReaderOptions extends BrowserContextOptions {
  /** Default: a visitor. */
  person?: TestPerson
  /** Default: Chinese. */
  language?: 'zh_CN' | 'en_US'
  /** What the browser says, and what was chosen on the site. Default: light. */
  scheme?: 'light' | 'dark'
  /** Default: 1280. */
  width?: number
}

/** A device of this width: a phone where it is as narrow as one. */
export const deviceOf = (width: number): ReaderOptions => ({ width, ...(width < 640 && { isMobile: true, hasTouch: true }) })

/** One browser of one person, logged in as the login call leaves it. */
export function openReader(browser: Browser, site: Site, options: ReaderOptions = {}): Promise<BrowserContext> {
  const { person, language = 'zh_CN', scheme = 'light', width = 1280, ...rest } = options
  const { origin, hostname } = new URL(site.url)
  const cookie = (name: string, value: string) => ({
    name,
    value,
    domain: hostname,
    path: '/',
    expires: -1,
    httpOnly: false,
    secure: false,
    sameSite: 'Lax' as const,
  })
  const token = person?.token ?? ''
  return browser.newContext({
    baseURL: origin,
    colorScheme: scheme,
    viewport: { width, height: 800 },
    locale: language.replace('_', '-'),
    reducedMotion: 'reduce',
    ...rest,
    storageState: {
      cookies: [cookie('stoa_lang', language), cookie('stoa_scheme', scheme), ...(token ? [cookie('stoa_session', token)] : [])],
      origins: token ? [{ origin, localStorage: [{ name: 'stoa:token', value: JSON.stringify({ v: token, until: null }) }] }] : [],
    },
  })
}

export interface Tab {
  page: Page
  /** Errors of the console, of scripts and of the network since the tab was opened or last asked. */
  complaints(): string[]
  /** What moved without being pushed, since the document came: score and the elements that moved. */
  shifts(): Promise<{ score: number; moved: string[] }[]>
}

const NOTE_SHIFTS = `
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources = [] } of list.getEntries()) {
      if (hadRecentInput) continue;
      const moved = sources.map(({ node, previousRect: a, currentRect: b }) =>
        (node?.nodeName ?? '?').toLowerCase() + '.' + (node?.className ?? node?.textContent ?? '') +
        ' ' + [a.x, a.y, a.width, a.height].map(Math.round) + ' → ' + [b.x, b.y, b.width, b.height].map(Math.round));
      window.shifts.push({ score: value, moved });
    }
  }).observe({ type: 'layout-shift', buffered: true });
`

/** A tab that notes what a careful visitor would complain about. */
export async function openTab(context: BrowserContext): Promise<Tab> {
  const page = await context.newPage()
  let noted: string[] = []
  page.on('console', (message) => {
    // The network's own complaints are noted below, with their address.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) noted.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => void noted.push(`script: ${error.stack ?? error}`))
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText
    // The page itself gave up, such as the stream of a tab that goes elsewhere; other hosts (people's pictures) are out of reach in tests.
    if (why !== 'net::ERR_ABORTED' && why !== 'net::ERR_NAME_NOT_RESOLVED')
      noted.push(`request: ${request.method()} ${request.url()} ${why}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) noted.push(`request: ${response.request().method()} ${response.url()} ${response.status()}`)
  })
  await page.addInitScript(NOTE_SHIFTS)
  return {
    page,
    complaints() {
      const now = noted
      noted = []
      return now
    },
    shifts: () => page.evaluate('window.shifts'),
  }
}

/** Goes to an address and waits until the page reacts and knows who one is. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await isLive(page)
}

/** Resolves when the page has come to life and everything it asked for has arrived. */
export async function isLive(page: Page): Promise<void> {
  await page.locator('footer select:enabled').first().waitFor()
  await page.locator('header [data-known]').waitFor()
  await page.locator('main [data-bone]').first().waitFor({ state: 'detached' })
}
