import { openWorkshop } from '../dev/workshop.ts'
import { launchBrowser } from '../support/browser.ts'
import { taken } from '../weight/first-view.ts'
import type { Figure } from './figures.ts'
import { median } from './measure.ts'

const EDITS = 10

/** From writing a plugin's file to seeing it in an open page, as `npm run dev` does it; the first edit, which starts the compilers, apart. */
export async function editFigures(): Promise<Figure[]> {
  const [workshop, browser] = await Promise.all([openWorkshop(), launchBrowser()])
  try {
    const page = await browser.newPage()
    await page.goto(`${workshop.site.kernel.url}/workbench`)
    await taken(page)
    const times: number[] = []
    let text = 'First caption'
    for (let edit = 0; edit <= EDITS; edit++) {
      const next = `Caption ${edit}`
      // Set up before the edit, so that the clock starts with it.
      const seen = page.evaluate(
        (wanted) =>
          new Promise<number>((resolve) => {
            new MutationObserver((_, observer) => {
              if (document.querySelector('main h1')?.textContent !== wanted) return
              observer.disconnect()
              requestAnimationFrame(() => resolve(Date.now()))
            }).observe(document.body, { subtree: true, childList: true, characterData: true })
          }),
        next,
      )
      await page.evaluate(() => 0)
      const started = Date.now()
      workshop.edit('web/page.tsx', text, next)
      times.push((await seen) - started)
      text = next
      await workshop.site.kernel.idle()
    }
    const [first = Number.NaN, ...later] = times
    return [
      { name: 'edit of a plugin to visible in an open page', value: median(later), unit: 'ms', most: 200 },
      { name: 'the first edit, which starts the compilers', value: first, unit: 'ms' },
    ]
  } finally {
    await browser.close()
    await workshop.close()
  }
}
