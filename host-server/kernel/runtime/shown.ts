import type { Extensions } from '@stoa/sdk'

/** What of a bag may be shown: the values of some plugins. */
export const shownOf = (stored: Extensions, isOn: (slug: string) => boolean): Extensions =>
  Object.fromEntries(Object.entries(stored).filter(([slug]) => isOn(slug)))
