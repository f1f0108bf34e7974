import { sessionCookie } from '@stoa/sdk/server'
import type { Browser, CDPSession, Page } from 'playwright'

export interface Loaded {
  url: string
  /** As the browser calls it: `Document`, `Script`, `Stylesheet`, … */
  type: string
  /** On the wire, headers included. */
  bytes: number
}

export interface FirstView {
  requests: Loaded[]
  /** Bytes of all requests. */
  total: number
}

/** Nothing came for this time: the first view is complete. */
const QUIET_MS = 1000

/**
 * Opens a page with an empty cache and counts what crosses the wire until nothing more comes.
 * @param token of a session, for pages that want one
 */
export async function firstView(browser: Browser, url: string, token?: string): Promise<FirstView> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  try {
    if (token !== undefined) {
      // What a login leaves: the token for calls, the cookie for documents.
      await context.addCookies([{ name: sessionCookie.name, value: token, url: new URL(url).origin, httpOnly: true, sameSite: 'Lax' }])
      await context.addInitScript((value) => localStorage.setItem('stoa:token', JSON.stringify({ v: value, until: null })), token)
    }
    const page = await context.newPage()
    const requests = await countRequests(await context.newCDPSession(page))
    await page.goto(url)
    await taken(page)
    await requests.quiet()
    const all = requests.all()
    return { requests: all, total: all.reduce((sum, { bytes }) => sum + bytes, 0) }
  } finally {
    await context.close()
  }
}

/** Resolves when the browser has taken over the server's HTML: what waits for it in the footer can be used. */
export const taken = (page: Page): Promise<void> => page.locator('footer select:enabled').first().waitFor()

async function countRequests(session: CDPSession) {
  const seen = new Map<string, Loaded>()
  let last = performance.now()
  session.on('Network.responseReceived', ({ requestId, response, type }) => {
    seen.set(requestId, { url: response.url, type, bytes: 0 })
    last = performance.now()
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const one = seen.get(requestId)
    if (one) one.bytes = encodedDataLength
    last = performance.now()
  })
  await session.send('Network.enable')
  return {
    all: () => [...seen.values()].sort((a, b) => b.bytes - a.bytes),
    async quiet() {
      while (performance.now() - last < QUIET_MS) await new Promise((resolve) => setTimeout(resolve, 50))
    },
  }
}

/** One line a page: bytes by kind, in thousands. */
export function weightTable(rows: [name: string, view: FirstView][]): string {
  const kinds = ['Document', 'Script', 'Stylesheet'] as const
  const kb = (bytes: number) => (bytes / 1000).toFixed(1).padStart(7)
  const head = ['page'.padEnd(16), '  total', ' requests', ...kinds.map((kind) => kind.padStart(11)), '      other'].join('')
  const lines = rows.map(([name, { requests, total }]) => {
    const sums = kinds.map((kind) => requests.filter(({ type }) => type === kind).reduce((sum, { bytes }) => sum + bytes, 0))
    const other = total - sums.reduce((sum, one) => sum + one, 0)
    return `${name.padEnd(16)}${kb(total)}${String(requests.length).padStart(9)}${[...sums, other].map((sum) => `    ${kb(sum)}`).join('')}`
  })
  return [head, ...lines].join('\n')
}
