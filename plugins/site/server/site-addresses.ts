import type { ServerContext } from '@stoa/sdk/server'

/** Former addresses that are remembered. */
const MOST = 20

export interface Addresses {
  /** Those that the site has or had, without a slash at the end, the present one first. */
  all(): readonly string[]
  /** Says that the site has this address now. */
  remember(address: string): Promise<void>
}

/** The addresses under which texts may have named what is on this site. */
export function createAddresses(ctx: ServerContext): Addresses {
  const known = () => ctx.plugin.settings.get<{ addresses?: string[] }>().addresses ?? []
  return {
    all: () => [ctx.site.url, ...known()].filter(Boolean),
    async remember(address) {
      if (!address || known()[0] === address) return
      await ctx.plugin.settings.set({ addresses: [address, ...known().filter((one) => one !== address)].slice(0, MOST) })
    },
  }
}
