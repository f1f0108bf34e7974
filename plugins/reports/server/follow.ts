import { answerEvents } from '../../answers/shared/api.ts'
import { commentEvents } from '../../comments/shared/api.ts'
import { experienceEvents } from '../../experiences/shared/api.ts'
import { purged } from '../../site/shared/api.ts'
import type { Capabilities } from './capabilities.ts'
import { settle } from './handle.ts'

/** Keeps the queue free of what is gone: flags of it are settled when somebody deletes it elsewhere, and go with it for good. */
export function followObjects(capabilities: Capabilities): void {
  const { ctx } = capabilities
  ctx.on(experienceEvents.acted, async ({ n, act }) => {
    if (act === 'deleted') await settle(capabilities, { kind: 'experience', n })
  })
  ctx.on(answerEvents.acted, async ({ n, act }) => {
    if (act === 'deleted') await settle(capabilities, { kind: 'answer', n })
  })
  ctx.on(commentEvents.deleted, async ({ n }) => settle(capabilities, { kind: 'comment', n }))
  ctx.on(purged, async ({ kind, ns }) => {
    await ctx.db.write((tx) => tx.deleteFrom('reports__report').where('object_kind', '=', kind).where('object_n', 'in', ns).execute())
  })
}
