import type { Person } from '@stoa/sdk'
import { fieldErrors } from '@stoa/sdk'
import type { Kysely } from 'kysely'
import { followErrors, mostFollowed } from '../shared/api.ts'
import type { Capabilities } from './capabilities.ts'
import type { FollowKeeper } from './keep-follows.ts'
import type { Tables } from './tables.ts'

export interface Following {
  follows: number
  is_followed: boolean
}

/**
 * Follows an object or stops following it: doing it twice changes nothing. `toggle` does the opposite of what stands.
 * What has been hidden since can still be let go.
 * @throws `error.object.not_found` for what cannot be followed, does not exist or is not for this person's eyes; `error.follow.too_many`
 */
export async function followObject(
  { ctx }: Pick<Capabilities, 'ctx'>,
  keeper: FollowKeeper,
  person: Person,
  id: string,
  how: { is_cancel: boolean; toggle: boolean },
): Promise<Following> {
  const decoded = ctx.ids.decode(id)
  const owner = decoded && keeper.ownerOf(decoded.kind)
  if (!decoded || !owner) throw followErrors.not_found({ id })
  const { kind } = decoded
  const found = await owner.find(decoded.n, person)
  return ctx.db.write(async (tx) => {
    const n = found?.n ?? decoded.n
    const wasDropped = (how.is_cancel || how.toggle) && (await keeper.drop(tx, kind, n, person.id))
    const isCancel = how.is_cancel || wasDropped
    if (!found && !wasDropped) throw followErrors.not_found({ id })
    if (!isCancel && (await keeper.add(tx, kind, n, person.id))) await requireRoom(tx, kind, person.id)
    return { follows: await countFollowers(tx, kind, n), is_followed: !isCancel }
  })
}

/**
 * Makes what somebody follows of a kind exactly what these names lead to.
 * @param field member of the body that holds the names, for the error
 * @throws a form error for an unknown name; then nothing has changed
 */
export async function followNames(
  { ctx }: Pick<Capabilities, 'ctx'>,
  keeper: FollowKeeper,
  person: Person,
  { kind, names, field }: { kind: string; names: readonly string[]; field: string },
): Promise<void> {
  const owner = keeper.ownerOf(kind)
  const { ns = [], unknown = [...names] } = (await owner?.named?.(names)) ?? {}
  if (unknown.length > 0) throw fieldErrors({ [field]: 'follow.unknown_name' })
  const wanted = new Set(ns)
  await ctx.db.write(async (tx) => {
    const before = new Set((await keeper.ofPerson(tx, person.id)).flatMap((row) => (row.kind === kind ? [row.n] : [])))
    for (const n of [...new Set([...wanted, ...before])].sort((a, b) => a - b)) {
      if (!wanted.has(n)) await keeper.drop(tx, kind, n, person.id)
      else if (!before.has(n)) await keeper.add(tx, kind, n, person.id)
    }
  })
}

/** After the follow was stored, so that two at once cannot both take the last place. */
async function requireRoom(tx: Kysely<Tables>, kind: string, personId: number): Promise<void> {
  const { count } = await tx
    .selectFrom('follows__follow')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('person_id', '=', personId)
    .where('object_kind', '=', kind)
    .executeTakeFirstOrThrow()
  if (Number(count) > mostFollowed) throw followErrors.too_many({ most: mostFollowed })
}

async function countFollowers(tx: Kysely<Tables>, kind: string, n: number): Promise<number> {
  const { count } = await tx
    .selectFrom('follows__follow')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('object_n', '=', n)
    .where('object_kind', '=', kind)
    .executeTakeFirstOrThrow()
  return Number(count)
}
