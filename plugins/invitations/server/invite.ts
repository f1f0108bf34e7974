import type { Person } from '@stoa/sdk'
import { fieldErrors, isStaff } from '@stoa/sdk'
import type { Needed, ServerContext } from '@stoa/sdk/server'
import type { people } from '../../accounts/shared/api.ts'
import type { PostFacts, posts } from '../../experiences/shared/api.ts'
import { postStatus } from '../../experiences/shared/api.ts'
import type { permissions } from '../../site/shared/api.ts'
import { invitationErrors, invitationEvents } from '../shared/api.ts'
import { MOST } from '../shared/schemas.ts'
import { mayInvite } from './may-invite.ts'
import type { Tables } from './tables.ts'

export interface Capabilities {
  ctx: ServerContext<Tables>
  posts: Needed<typeof posts>
  people: Needed<typeof people>
  permissions: Needed<typeof permissions>
}

/** New people that one person may invite within a day. */
const A_DAY = 60

/**
 * Makes these people the invited ones of a post. Its author and staff may leave out anybody; others only whom they invited themselves: the rest stays.
 * @param usernames in any case; whoever is invited already may have been suspended since
 */
export async function invite(capabilities: Capabilities, person: Person, id: string, usernames: readonly string[]): Promise<void> {
  const { ctx, posts, permissions } = capabilities
  const decoded = ctx.ids.decode(id)
  const post = decoded?.kind === 'experience' ? await posts.find(decoded.n) : undefined
  if (!post || !posts.mayView(person, post)) throw invitationErrors.not_found({ id })
  const isOwner = post.authorId === person.id
  if (!isOwner) await permissions.require(person, mayInvite)
  if (post.status !== postStatus.available) throw invitationErrors.closed({ id })
  const before = await invitedTo(ctx, post.n)
  const wanted = await peopleOf(capabilities, post, usernames, new Set(before.map((row) => row.person_id)))
  for (const personId of wanted)
    if (!before.some((row) => row.person_id === personId))
      await ctx.host.limit('invite.person', { key: person.id, max: A_DAY, seconds: 86_400 })

  await ctx.db.write(async (tx) => {
    const now = await invitedTo(ctx, post.n)
    const mayDrop = (row: { by_id: number }) => isOwner || isStaff(person) || row.by_id === person.id
    const dropped = now.filter((row) => !wanted.has(row.person_id) && mayDrop(row)).map((row) => row.person_id)
    const added = [...wanted].filter((personId) => !now.some((row) => row.person_id === personId))
    if (now.length - dropped.length + added.length > MOST) throw fieldErrors({ invite_user: 'error.invitations.too_many' }, { most: MOST })
    if (dropped.length > 0)
      await tx
        .updateTable('invitations__invitation')
        .set({ withdrawn: 1 })
        .where('experience', '=', post.n)
        .where('person_id', 'in', dropped)
        .execute()
    for (const personId of added) {
      const { created_at } = await tx
        .insertInto('invitations__invitation')
        .values({ experience: post.n, person_id: personId, by_id: person.id, created_at: ctx.now() })
        .onConflict((conflict) => conflict.columns(['experience', 'person_id']).doUpdateSet({ withdrawn: 0, by_id: person.id }))
        .returning('created_at')
        .executeTakeFirstOrThrow()
      const key = `${post.n} ${personId} ${created_at}`
      await ctx.emit(invitationEvents.invited, { experience: post.n, personId, byId: person.id }, { key })
    }
  })
}

function invitedTo(ctx: ServerContext<Tables>, experience: number) {
  return ctx.db.query
    .selectFrom('invitations__invitation')
    .select(['person_id', 'by_id'])
    .where('experience', '=', experience)
    .where('withdrawn', '=', 0)
    .execute()
}

/** @throws a form error that names who is not there, is not active, or need not be invited */
async function peopleOf({ people }: Capabilities, post: PostFacts, usernames: readonly string[], invited: ReadonlySet<number>) {
  const found = new Set<number>()
  for (const name of usernames) {
    const refuse = (why: string) => fieldErrors({ invite_user: `error.invitations.${why}` }, { name })
    const id = await people.idOf(name)
    if (id === undefined) throw refuse('unknown')
    if (id === post.authorId) throw refuse('author')
    if (!invited.has(id) && (await people.card(id))?.status !== 'normal') throw refuse('unknown')
    found.add(id)
  }
  return found
}

/** Somebody is deleted with everything they did; in that transaction. */
export async function forgetPerson({ ctx }: Pick<Capabilities, 'ctx'>, personId: number): Promise<void> {
  await ctx.db.write((tx) =>
    tx
      .deleteFrom('invitations__invitation')
      .where((eb) => eb.or([eb('person_id', '=', personId), eb('by_id', '=', personId)]))
      .execute(),
  )
}
