import type { Principal, ServerContext } from '@stoa/sdk/server'

/** One person as they are now, held until the current transaction ends. */
export async function held({ host }: Pick<ServerContext, 'host'>, id: number): Promise<Principal | undefined> {
  return (await host.credentials.hold([id])).get(id)
}
