import type { ServerContext } from '@stoa/sdk/server'
import { touched } from '../../search/shared/api.ts'
import { answerEvents } from '../shared/api.ts'

/** Says that an answer is another than before; in the current transaction. */
export async function tellChanged(ctx: Pick<ServerContext, 'emit'>, answer: { n: number; experience: number }): Promise<void> {
  await ctx.emit(answerEvents.changed, answer)
  await ctx.emit(touched, { kind: 'answer', n: answer.n })
}
