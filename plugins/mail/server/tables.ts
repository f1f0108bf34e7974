import type { Generated } from 'kysely'

export interface UndeliveredTable {
  id: Generated<number>
  /** Tells one mail from another, over all of its tries. */
  mail_key: string
  to_address: string
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

export interface Tables {
  mail__undelivered: UndeliveredTable
}
