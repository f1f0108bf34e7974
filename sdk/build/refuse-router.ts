import type { ExternalItemFunctionData } from '@rspack/core'

/** A router of a plugin's own would know neither the page it is in nor the site's other pages, and would weigh 10 KB. */
export function refuseRouter({ request = '' }: ExternalItemFunctionData, callback: (error?: Error) => void): void {
  const name = /^react-router(-dom)?(?=\/|$)/.exec(request)?.[0]
  callback(name ? new Error(`A plugin cannot import ${name}: links, addresses and parameters come from @stoa/sdk/web`) : undefined)
}
