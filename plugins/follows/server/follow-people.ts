import { accountHooks } from '../../accounts/shared/api.ts'
import type { Capabilities } from './capabilities.ts'
import type { FollowKeeper } from './keep-follows.ts'

/** Ends the follows of somebody whose deletion takes their content along; in its transaction. */
export function followPeople({ ctx }: Pick<Capabilities, 'ctx'>, keeper: FollowKeeper): void {
  ctx.on(accountHooks.removeContent, (personId) => dropAll({ ctx }, keeper, personId))
}

export async function dropAll({ ctx }: Pick<Capabilities, 'ctx'>, keeper: FollowKeeper, personId: number): Promise<void> {
  await ctx.db.write(async (tx) => {
    for (const { kind, n } of await keeper.ofPerson(tx, personId)) await keeper.drop(tx, kind, n, personId)
  })
}
