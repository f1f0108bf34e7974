import type { Decorated } from '@stoa/sdk'
import { isStaff, read } from '@stoa/sdk'
import type { ReadContext } from '@stoa/sdk/server'
import { statement } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import type { PersonCard } from '../../accounts/shared/api.ts'
import { personCards } from '../../accounts/shared/api.ts'
import type { ExperienceView } from '../../experiences/shared/api.ts'
import { experienceCards, experienceErrors, postStatus } from '../../experiences/shared/api.ts'
import { permissionVerdicts } from '../../site/shared/api.ts'
import { inviteAction } from '../shared/api.ts'
import { mayInvite } from './may-invite.ts'
import type { Tables } from './tables.ts'

export const invitedPeople = read<{ id: string }, PersonCard[]>('invitations.people')

/** `GET experience/invite`. @throws `error.experience.not_found` for whoever may not see the post */
export async function readInvited(ctx: ReadContext<Tables>, { id }: { id: string }): Promise<PersonCard[]> {
  const decoded = ctx.ids.decode(id)
  if (decoded?.kind !== 'experience') throw experienceErrors.not_found({ id })
  const post = (await ctx.call(experienceCards, { ns: [decoded.n] }))[decoded.n]
  const isLive = post?.status === postStatus.available || post?.status === postStatus.closed
  if (!post || !(isLive || isStaff(ctx.person) || post.authorId === ctx.person?.id)) throw experienceErrors.not_found({ id })
  return (await invitedTo(ctx, [post.n])).get(post.n) ?? []
}

/** Puts who is invited beside posts, and says to whoever may that they can invite others. */
export async function findInvited(ctx: ReadContext<Tables>, items: readonly Decorated<ExperienceView>[]): Promise<() => void> {
  const invited = await invitedTo(
    ctx,
    items.map(({ n }) => n),
  )
  const may = ctx.person?.state === 'normal' ? await ctx.call(permissionVerdicts, { actions: [mayInvite] }) : {}
  return () => {
    for (const { n, authorId, view } of items) {
      const people = invited.get(n)
      if (people) view.beside = { ...view.beside, invitations: people }
      const isOwner = ctx.person?.state === 'normal' && authorId === ctx.person.id
      if (view.status === postStatus.available && (isOwner || may[mayInvite]?.allowed))
        view.extends_actions.push({ action: inviteAction, name: ctx.text(`experience.action.${inviteAction}`), type: 'confirm' })
    }
  }
}

const invitationsTo = statement((db: Kysely<Tables>, { ns }: { ns: readonly number[] }) =>
  db
    .selectFrom('invitations__invitation')
    .select(['experience', 'person_id'])
    .where('experience', 'in', ns)
    .where('withdrawn', '=', 0)
    .orderBy('id'),
)

/** Who is invited, by post, in the order of invitation. People who are gone are left out. */
async function invitedTo(ctx: ReadContext<Tables>, ns: number[]): Promise<Map<number, PersonCard[]>> {
  const rows = await invitationsTo(ctx.db, { ns })
  if (rows.length === 0) return new Map()
  const cards = await ctx.call(personCards, { ids: [...new Set(rows.map((row) => row.person_id))] })
  const found = new Map<number, PersonCard[]>()
  for (const { experience, person_id } of rows) {
    const card = cards[person_id]
    if (card && card.status !== 'deleted') found.set(experience, [...(found.get(experience) ?? []), card])
  }
  return found
}
