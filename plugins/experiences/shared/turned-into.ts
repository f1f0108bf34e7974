import type { Extensions } from '@stoa/sdk'

/** What makes one bag of another when it is sent: `null` takes a value away. */
export const turnedInto = (before: Extensions = {}, after: Extensions): Extensions => ({
  ...Object.fromEntries(Object.keys(before).map((slug) => [slug, null])),
  ...after,
})
