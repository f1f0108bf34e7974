import type { Generated } from 'kysely'

export interface UndeliveredTable {
  id: Generated<number>
  /** Tells one mail from another, over all of its tries. */
  mail_key: string
  to_address: string
  /** Whose address it is; 0: nobody's, such as one that somebody is about to take. */
  person_id: number
  subject: string
  reason: string
  tries: number
  /** `unsure`: nobody knows whether the server has taken it. */
  state: 'failed' | 'refused' | 'unsure'
  /** Empty where nobody can send it again. */
  again_job: string
  again_payload: string
  first_at: number
  last_at: number
  /** Until then it is tried again without anybody's doing. */
  busy_until: number
}

export interface OutgoingTable {
  id: Generated<number>
  /** As the sender names the message: a second one with it is the same. */
  message_key: string
  person_id: number
  /** A `ChannelMessage`, JSON. */
  message: string
  /** `waiting`: has a job. `sending`: handed to the server; whoever finds it so later does not know how that ended. `stopped`: until somebody sends it again. */
  state: 'waiting' | 'sending' | 'stopped'
  tries: number
  created_at: number
  sending_since: number
}

/** Whose mails a server has refused for good. */
export interface RefusedTable {
  person_id: number
  /** As they log in with: another one has nothing against it. */
  address: string
  /** In the words of the server. */
  reason: string
  refusals: number
  last_at: number
}

export interface Tables {
  mail__refused: RefusedTable
  mail__undelivered: UndeliveredTable
  /** What the notifications gave to be mailed and no server has taken yet. */
  mail__outgoing: OutgoingTable
  /** Of the mail about all new posts, which has a cap: posts since a week began, by person. */
  mail__week: { person_id: number; began_at: number; posts: number }
}
