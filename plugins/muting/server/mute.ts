import type { Person } from '@stoa/sdk'
import { roles } from '@stoa/sdk'
import type { Needed, ServerContext } from '@stoa/sdk/server'
import type { people } from '../../accounts/shared/api.ts'
import { mostMuted, mutingErrors } from '../shared/api.ts'
import type { Tables } from './tables.ts'

export interface Capabilities {
  ctx: ServerContext<Tables>
  people: Needed<typeof people>
}

/** @throws `error.muting.not_found` */
async function named({ ctx, people }: Capabilities, username: string): Promise<{ id: number; isStaff: boolean }> {
  const id = await people.idOf(username)
  const principal = id === undefined ? undefined : await ctx.host.credentials.find(id)
  if (!principal || principal.state === 'deleted') throw mutingErrors.not_found({ username })
  return { id: principal.id, isStaff: principal.role !== roles.user }
}

/** Whether somebody has muted a person, and could. */
export async function stateOf(
  capabilities: Capabilities,
  person: Person,
  username: string,
): Promise<{ muted: boolean; can_mute: boolean }> {
  const { id, isStaff } = await named(capabilities, username)
  const row = await capabilities.ctx.db.query
    .selectFrom('muting__mute')
    .select('id')
    .where('muted_id', '=', id)
    .where('person_id', '=', person.id)
    .executeTakeFirst()
  return { muted: row !== undefined, can_mute: id !== person.id && !isStaff }
}

/**
 * Mutes a person, or takes that back; doing it twice changes nothing. Whoever became staff since can still be let go.
 * @throws `error.muting.not_found`, `yourself`, `staff`, `too_many`
 */
export async function setMute(capabilities: Capabilities, person: Person, username: string, mute: boolean): Promise<void> {
  const { ctx } = capabilities
  const { id, isStaff } = await named(capabilities, username)
  if (!mute) {
    await ctx.db.write((tx) => tx.deleteFrom('muting__mute').where('muted_id', '=', id).where('person_id', '=', person.id).execute())
    return
  }
  if (id === person.id) throw mutingErrors.yourself()
  if (isStaff) throw mutingErrors.staff({ username })
  await ctx.db.write(async (tx) => {
    await tx
      .insertInto('muting__mute')
      .values({ person_id: person.id, muted_id: id, created_at: ctx.now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    // After it was stored, so that two at once cannot both take the last place.
    const { count } = await tx
      .selectFrom('muting__mute')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('person_id', '=', person.id)
      .executeTakeFirstOrThrow()
    if (Number(count) > mostMuted) throw mutingErrors.too_many({ most: mostMuted })
  })
}
