import type { Generated } from 'kysely'

export interface NoticeTable {
  id: Generated<number>
  person_id: number
  /** `inbox` or `achievement`. */
  list: string
  /** Part of the inbox, or empty. */
  tab: string
  kind: string
  /** What it is about; of several that were gathered, the last one. */
  object_kind: string
  object_n: number
  /** Who did it last, 0 for nobody who is named. */
  actor_id: number
  /** How many did it. */
  people: Generated<number>
  amount: Generated<number>
  /** Values for the text, JSON. */
  details: Generated<string>
  /** An `Award`, JSON. */
  award: string | null
  /** As they were when it was sent, in the receiver's language: shown when owner or kind is gone. */
  title: Generated<string>
  phrase: Generated<string>
  /** What joins it by this key; null: nothing does any more. */
  open_key: string | null
  /** The red dot was cleared since. */
  is_seen: Generated<number>
  is_read: Generated<number>
  created_at: number
  updated_at: number
}

export interface DeliveryTable {
  id: Generated<number>
  person_id: number
  channel: string
  frequency: string
  kind: string
  /** 0 for a kind that stands in no list. */
  notice_id: number
  object_kind: string
  object_n: number
  actor_id: number
  amount: Generated<number>
  details: Generated<string>
  created_at: number
  due_at: number
}

export interface Tables {
  notifications__notice: NoticeTable
  /** What somebody was told already. */
  notifications__act: {
    person_id: number
    kind: string
    /** Hash of the key that the act was told with. */
    act_key: string
    notice_id: number
    actor_id: number
    created_at: number
  }
  /** One row a person: what clients ask for every few seconds. */
  notifications__status: {
    person_id: number
    /** Notices since the dot was cleared. */
    inbox: Generated<number>
    achievement: Generated<number>
    /** The oldest award that is not read, 0 for none, and what its dialog shows. */
    award_id: Generated<number>
    award: string | null
  }
  /** What somebody chose; what has no row is as usual. */
  notifications__setting: { person_id: number; kind: string; channel: string; frequency: string }
  /** What channels are still to bring. */
  notifications__delivery: DeliveryTable
  notifications__secret: { person_id: number; secret: string }
}

/** Rows of one list that somebody keeps: the newest. */
export const MOST_NOTICES = 500
