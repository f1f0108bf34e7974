import { webHooks } from '@stoa/sdk/web'
import type { Transport } from './call.ts'
import { opened, outcomeOf, replySubjectOf, subjectOf } from './outcome.ts'
import type { Taps } from './taps.ts'

/** Lets the taps of plugins take part in what a transport carries. */
export type Through = (send: Transport) => Transport

/**
 * The way of every call: taps add to it, see its reply and may have it repeated. What the error catalogue shows, and whether a session is
 * over, is decided behind it, by the last reply. A call that no tap is for passes as it is.
 * @param skip ids of taps that do not see these calls
 */
export function createPipe(taps: Taps, token: () => string | undefined): (skip?: ReadonlySet<string>) => Through {
  return (skip = new Set()) =>
    (send) =>
    async (request) => {
      const isAwaited = taps.listens(webHooks.beforeRequest, { subject: subjectOf(request), skip })
      const outcome = isAwaited ? undefined : await outcomeOf(send(request))
      if (outcome && !taps.listens(webHooks.replied, { subject: replySubjectOf(request, outcome), skip })) return opened(outcome)
      request.signal?.throwIfAborted()
      const { tappedCall } = await import('./tapped-call.ts')
      return await tappedCall({ taps, token, skip, send }, request, outcome)
    }
}
