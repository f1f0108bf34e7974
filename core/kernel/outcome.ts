import type { CallReply, CallRequest } from './call.ts'
import { fieldsOf } from './call.ts'
import type { TapSubject } from './matches.ts'

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
