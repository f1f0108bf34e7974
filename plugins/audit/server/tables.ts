import type { Generated } from 'kysely'

export interface EntryTable {
  id: Generated<number>
  /** 0: the site itself. */
  actor_id: number
  action: string
  object_kind: string
  object_id: string
  object_label: string
  object_path: string
  note: string
  /** Language → what was done, as it was called then. JSON. */
  phrases: string
  /** Language → what changed. JSON. */
  changes: string
  created_at: number
}

export interface Tables {
  audit__entry: EntryTable
  /** Actions that have been logged, by the words of the last time the site knew them: what the log is filtered by. */
  audit__action: { name: string; phrases: string }
}
