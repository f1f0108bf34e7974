import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright'

/** What axe has against the page as it stands now. @param only rules, by default all */
export async function objections(page: Page, ...only: string[]): Promise<string[]> {
  // Otherwise each look opens a tab of its own, for frames of other sites, which we have none of.
  const axe = new AxeBuilder({ page }).setLegacyMode()
  const { violations } = await (only.length > 0 ? axe.withRules(only) : axe).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

/** What looks like the name of a text, or like a text with a gap that nobody filled. */
const UNTRANSLATED = `(() => {
  const isKey = (text) => /^[a-z][a-z_]*(\\.[a-z0-9_]+)+$/.test(text.trim()) || /\\{\\{|\\[object |\\bundefined\\b|\\bNaN\\b/.test(text)
  const found = [document.title].filter(isKey)
  for (const element of document.querySelectorAll('body, body *')) {
    if (element.closest('script, style, code, pre, noscript')) continue
    for (const name of ['aria-label', 'title', 'placeholder', 'alt']) if (isKey(element.getAttribute(name) ?? '')) found.push(element.getAttribute(name))
    for (const node of element.childNodes) if (node.nodeType === 3 && isKey(node.data)) found.push(node.data)
  }
  return found
})()`

export const untranslated = (page: Page): Promise<string[]> => page.evaluate(UNTRANSLATED)

/** What reaches over the right edge, when the page can be pushed sideways. */
export const tooWide = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const over = [...document.querySelectorAll('body *')].filter((element) => element.getBoundingClientRect().right > clientWidth)
    return [`${scrollWidth} wide`, ...over.map((element) => element.outerHTML.slice(0, 100))]
  })
