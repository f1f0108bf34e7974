import { webHooks } from '@stoa/sdk/web'
import type { CallReply, CallRequest, Transport } from './call.ts'
import { fieldsOf } from './call.ts'
import type { TapSubject } from './matches.ts'
import type { Taps } from './taps.ts'

/** Lets the taps of plugins take part in what a transport carries. */
export type Through = (send: Transport) => Transport

/** How a call came out; without a reply, why. */
export type Outcome = { reply: CallReply } | { lost: unknown }

export const outcomeOf = (sending: Promise<CallReply>): Promise<Outcome> =>
  sending.then(
    (reply) => ({ reply }),
    (lost: unknown) => ({ lost }),
  )

export const subjectOf = ({ url, method }: CallRequest): TapSubject => ({ path: url.split('?', 1)[0] as string, method })

/** What conditions on replies are held against. */
export function replySubjectOf(request: CallRequest, outcome: Outcome): TapSubject {
  const { status, envelope } = 'reply' in outcome ? outcome.reply : { status: 0, envelope: null }
  return { ...subjectOf(request), status, reason: envelope?.reason ?? '', fields: fieldsOf(envelope?.data) }
}

export function opened(outcome: Outcome): CallReply {
  if ('lost' in outcome) throw outcome.lost
  return outcome.reply
}

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
