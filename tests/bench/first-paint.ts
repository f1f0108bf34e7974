import type { Browser } from 'playwright'
import { launchBrowser } from '../support/browser.ts'
import { firstView, taken } from '../weight/first-view.ts'
import type { Figure } from './figures.ts'
import { median } from './measure.ts'

/** A slow line and a slow phone. Source: the budget of the largest paint. */
const LATENCY_MS = 150
const DOWN_BYTES_PER_S = 1_600_000 / 8
const CPU_SLOWDOWN = 4
const ROUNDS = 5

interface Paint {
  largestMs: number
  /** Sum of the layout shifts until a moment after the page was taken over. */
  shift: number
}

/** What a visitor's browser makes of the home page: the medians of some visits with an empty cache. */
export async function paintFigures(url: string): Promise<Figure[]> {
  const browser = await launchBrowser()
  try {
    // The first visit warms the server, not the measured browser.
    const view = await firstView(browser, `${url}/`)
    const paints: Record<'wide' | 'phone', Paint[]> = { wide: [], phone: [] }
    for (let round = 0; round < ROUNDS; round++) {
      paints.wide.push(await paintOf(browser, `${url}/`, 1280))
      paints.phone.push(await paintOf(browser, `${url}/`, 390))
    }
    const all = [...paints.wide, ...paints.phone]
    return [
      { name: 'first view of home, everything', value: view.total / 1000, unit: 'KB', most: 165 },
      { name: 'largest paint of home, 1280 px', value: median(paints.wide.map(({ largestMs }) => largestMs)), unit: 'ms', most: 1500 },
      { name: 'largest paint of home, 390 px', value: median(paints.phone.map(({ largestMs }) => largestMs)), unit: 'ms', most: 1500 },
      { name: 'layout shift of home, the worst', value: Math.max(...all.map(({ shift }) => shift)), unit: '', most: 0 },
    ]
  } finally {
    await browser.close()
  }
}

async function paintOf(browser: Browser, url: string, width: number): Promise<Paint> {
  const context = await browser.newContext({ viewport: { width, height: 800 } })
  try {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: LATENCY_MS,
      downloadThroughput: DOWN_BYTES_PER_S,
      uploadThroughput: DOWN_BYTES_PER_S,
    })
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
    await page.goto(url)
    await taken(page)
    return await page.evaluate(async () => {
      const entries = (type: string) =>
        new Promise<PerformanceEntry[]>((resolve) => {
          const observer = new PerformanceObserver((list) => resolve(list.getEntries()))
          observer.observe({ type, buffered: true })
          setTimeout(() => resolve([]), 1000)
        })
      const [paints, shifts] = await Promise.all([entries('largest-contentful-paint'), entries('layout-shift')])
      return {
        largestMs: paints.at(-1)?.startTime ?? Number.NaN,
        shift: shifts.reduce((sum, entry) => sum + (entry as PerformanceEntry & { value: number }).value, 0),
      }
    })
  } finally {
    await context.close()
  }
}
