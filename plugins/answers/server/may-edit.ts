import type { Person } from '@stoa/sdk'
import { isStaff } from '@stoa/sdk'
import { experienceHooks } from '../../experiences/shared/api.ts'
import { answerErrors } from '../shared/api.ts'
import type { Capabilities } from './capabilities.ts'
import { findAnswer, isLive, maySee, requirePost } from './rows.ts'
import { answerStatus } from './tables.ts'

/** Says for answers whether somebody may edit, before a client opens the form. */
export function sayWhoMayEdit({ ctx, posts, permissions }: Capabilities): void {
  ctx.on(experienceHooks.mayEdit, async (object, person: Person) => {
    if (object.kind !== 'answer') return undefined
    const row = await findAnswer(ctx.db.query, object.n)
    if (!row || !maySee(person, row)) throw answerErrors.not_found({ id: object.n })
    const post = await requirePost(posts, row, person)
    if (row.status === answerStatus.deleted || !isLive(post)) throw answerErrors.cannot_update({ id: object.n })
    if (row.person_id !== person.id && !isStaff(person)) await permissions.require(person, 'answer.edit_without_review')
    return true
  })
}
