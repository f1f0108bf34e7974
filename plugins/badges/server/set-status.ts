import type { ServerContext, Wanted } from '@stoa/sdk/server'
import type { staffLog } from '../../audit/shared/api.ts'
import { badgeErrors } from '../shared/api.ts'
import type { Past } from './past.ts'
import type { Tables } from './tables.ts'
import { badgeStatus } from './tables.ts'

const isStatus = (word: string): word is keyof typeof badgeStatus => Object.hasOwn(badgeStatus, word)

/** One that is off is not shown and not given; on again, it is given for what happened meanwhile. The same again changes nothing. */
export async function setStatus(
  { ctx, past, log }: { ctx: ServerContext<Tables>; past: Past; log: Wanted<typeof staffLog> },
  adminId: number,
  { id, status }: { id: string; status: string },
): Promise<void> {
  const decoded = ctx.ids.decode(id)
  await ctx.db.write(async (tx) => {
    const row =
      decoded?.kind === 'badge'
        ? await tx.selectFrom('badges__badge').select(['id', 'name', 'status']).where('id', '=', decoded.n).executeTakeFirst()
        : undefined
    if (!row) throw badgeErrors.unknown({ id })
    if (!isStatus(status)) throw badgeErrors.status_invalid({ status })
    if (row.status === badgeStatus[status]) return
    await tx.updateTable('badges__badge').set({ status: badgeStatus[status] }).where('id', '=', row.id).execute()
    if (status === 'active') await past.again(row.id)
    const label = ctx.host.texts.text(`${row.name}.name`, {}, ctx.site.language)
    const object = { kind: 'badge', id, label, path: `/badges/${id}` }
    await log.current?.record({ actorId: adminId, action: status === 'active' ? 'badges.switched_on' : 'badges.switched_off', object })
  })
}
