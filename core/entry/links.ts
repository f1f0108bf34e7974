import { loadIcons } from '@stoa/sdk/ui/icon'
import { isReserved } from '../../sdk/pages/reserved-paths.ts'
import type { Core } from '../kernel/core.ts'
import { languageAtom } from '../kernel/core.ts'
import { matchPage } from '../kernel/registry.ts'

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
  for (const type of ['pointerover', 'focusin', 'touchstart'] as const) {
    document.addEventListener(type, (event) => prefetch(core, event.target), { passive: true })
  }
}

function pageAddress(target: EventTarget | null): URL | null {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
  if (!link || link.target || link.hasAttribute('download') || link.getAttribute('rel')?.includes('external')) return null
  const url = new URL(link.href)
  return url.origin === location.origin && !isReserved(url.pathname) ? url : null
}

function prefetch(core: Core, target: EventTarget | null): void {
  const url = pageAddress(target)
  const match = url && matchPage(core.map(), url.pathname)
  if (!match) return
  void loadIcons()
  core.taps.prefetch(url.pathname)
  void core.guards.ready(match.route)
  const { slug, generation, module } = match.route
  // A failure shows when the page is really wanted.
  core.loader.load(slug, generation, module).catch(() => {})
  void core.texts.ensure(slug, core.store.get(languageAtom))
}
