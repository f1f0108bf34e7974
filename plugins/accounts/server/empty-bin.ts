import type { Bin } from '../../site/shared/api.ts'
import type { AccountTools } from './account-tools.ts'

/** A batch holds up everybody else for some milliseconds. */
const BATCH = 100

/**
 * Profiles of deleted people, removed for good with their address, picture and reputation. What they wrote stays, by somebody without a name, unless
 * it was deleted with them.
 */
export function createBin({ ctx, files }: AccountTools): Bin {
  const removeSome = (): Promise<number[]> =>
    ctx.db.write(async (tx) => {
      const rows = await tx
        .selectFrom('accounts__profile')
        .select(['id', 'avatar_custom'])
        .where('state', '=', 'deleted')
        .orderBy('id')
        .limit(BATCH)
        .execute()
      const ids = rows.map(({ id }) => id)
      if (ids.length === 0) return []
      for (const { id, avatar_custom } of rows) {
        await ctx.host.credentials.setLogin(id, `deleted-${id}`)
        if (avatar_custom) await files.current?.remove(avatar_custom)
      }
      await tx.deleteFrom('accounts__profile').where('id', 'in', ids).execute()
      for (const table of ['accounts__mail_code', 'accounts__reputation', 'accounts__name'] as const)
        await tx.deleteFrom(table).where('person_id', 'in', ids).execute()
      return ids
    })
  return {
    type: 'users',
    kind: 'person',
    removeSome,
  }
}
