import type { Generated, Selectable } from 'kysely'

export interface ReportTable {
  id: Generated<number>
  object_kind: string
  object_n: number
  /** Who flagged it. */
  person_id: number
  /** Who wrote it. */
  author_id: number
  /** Number of a reason of the protocol. */
  reason_type: number
  content: string
  status: Generated<number>
  created_at: number
  /** Who decided; 0 for nobody and for the site itself. */
  handled_by: Generated<number>
  handled_at: Generated<number>
  /** What was decided: number of a reason, and what was written to it. */
  flagged_type: Generated<number>
  flagged_content: Generated<string>
}

export interface Tables {
  reports__report: ReportTable
}

/** Status numbers of the protocol. */
export const reportStatus = { open: 1, completed: 2, ignored: 3 } as const

export const reportColumns = [
  'id',
  'object_kind',
  'object_n',
  'person_id',
  'author_id',
  'reason_type',
  'content',
  'status',
  'created_at',
] as const satisfies (keyof ReportTable)[]
export type ReportRow = Pick<Selectable<ReportTable>, (typeof reportColumns)[number]>
