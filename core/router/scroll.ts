import type { Location } from '@stoa/sdk/web'

/** Positions per history entry, in the tab's own storage: they survive a reload. */
const NAME = 'stoa:scroll'
let shown = ''

function positions(): Record<string, number> {
  try {
    return JSON.parse(sessionStorage.getItem(NAME) ?? '{}') as Record<string, number>
  } catch {
    return {}
  }
}

/** Notes where the page that is being left stands. */
export function keepScroll(): void {
  if (!shown) return
  const rows = Object.entries({ ...positions(), [shown]: Math.round(scrollY) }).slice(-50)
  try {
    sessionStorage.setItem(NAME, JSON.stringify(Object.fromEntries(rows)))
  } catch {
    // Full or forbidden: pages start at the top.
  }
}

/** Goes where the entry was left, to its anchor, or (for a new entry) to the top. */
export function restoreScroll(location: Location, isNew: boolean): void {
  shown = location.key
  const anchor = location.hash ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null
  const kept = isNew ? undefined : positions()[location.key]
  if (kept !== undefined) scrollTo({ top: kept, behavior: 'instant' })
  else if (anchor) anchor.scrollIntoView({ block: 'start', behavior: 'instant' })
  else if (isNew) scrollTo({ top: 0, behavior: 'instant' })
}
