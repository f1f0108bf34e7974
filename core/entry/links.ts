import { loadIcons } from '@stoa/sdk/ui/icon'
import { isReserved } from '../../sdk/pages/reserved-paths.ts'
import type { Core } from '../kernel/core.ts'
import { languageAtom, siteAtom } from '../kernel/core.ts'
import { checkGuards } from '../kernel/guards.ts'
import { matchPage } from '../kernel/registry.ts'
import { loginAtom } from '../kernel/session.ts'
import { press } from '../router/pressed.ts'

/** Links in text that plugins did not make with `Link` stay in the page too; code of a page is fetched as soon as its link is pointed at. */
export function handleLinks(core: Core): void {
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const url = pageAddress(event.target)
    if (!url) return
    const isAnchor = url.hash !== '' && url.pathname === location.pathname && url.search === location.search
    if (isAnchor) return
    event.preventDefault()
    core.history.push(url.pathname + url.search + url.hash)
  })
  document.addEventListener('click', ({ target }) => press(target instanceof Element ? target.closest('a[href]') : null), true)
  let resting: ReturnType<typeof setTimeout> | undefined
  for (const type of ['pointerover', 'focusin', 'touchstart'] as const) {
    const listen = (event: Event) => {
      clearTimeout(resting)
      const match = prefetch(core, event.target)
      if (!match || (navigator as { connection?: { saveData?: boolean } }).connection?.saveData) return
      // A pointer on its way elsewhere asks for nothing; a finger has decided.
      resting = setTimeout(match, type === 'touchstart' ? 0 : REST_MS)
    }
    document.addEventListener(type, listen, { passive: true })
  }
}

const REST_MS = 80

function pageAddress(target: EventTarget | null): URL | null {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
  if (!link || link.target || link.hasAttribute('download') || link.getAttribute('rel')?.includes('external')) return null
  const url = new URL(link.href)
  return url.origin === location.origin && !isReserved(url.pathname) ? url : null
}

/** Fetches the code of the page that a link leads to. @returns fetches its data too */
function prefetch(core: Core, target: EventTarget | null): (() => void) | undefined {
  const url = pageAddress(target)
  const match = url && matchPage(core.map(), url.pathname)
  if (!match) return
  void loadIcons()
  core.taps.prefetch(url.pathname)
  void core.guards.ready(match.route)
  const { slug, generation, module } = match.route
  // A failure shows when the page is really wanted.
  core.loader.load(slug, generation, module).catch(() => {})
  void core.texts.ensureWhole(slug, core.store.get(languageAtom))
  const isElsewhere = () => url.pathname !== location.pathname || url.search !== location.search
  const passes = () => checkGuards(match.route, core.store.get(loginAtom), core.store.get(siteAtom), core.guards, url.pathname) === 'pass'
  return () => {
    if (isElsewhere() && passes()) core.pages.ahead(url, match.route, match.params)
  }
}
