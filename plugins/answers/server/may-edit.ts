import type { Person } from '@stoa/sdk'
import { experienceHooks } from '../../experiences/shared/api.ts'
import { answerErrors } from '../shared/api.ts'
import type { Capabilities } from './capabilities.ts'
import { requireEdit } from './edit-answer.ts'
import { findAnswer, maySee } from './rows.ts'

/** Says for answers whether somebody may edit, before a client opens the form. */
export function sayWhoMayEdit(capabilities: Capabilities): void {
  const { ctx } = capabilities
  ctx.on(experienceHooks.mayEdit, async (object, person: Person) => {
    if (object.kind !== 'answer') return undefined
    const row = await findAnswer(ctx.db.query, object.n)
    if (!row || !maySee(person, row)) throw answerErrors.not_found({ id: object.n })
    await requireEdit(capabilities, person, row)
    return true
  })
}
