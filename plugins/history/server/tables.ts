import type { Generated, Selectable } from 'kysely'
import { sql } from 'kysely'

export interface RevisionTable {
  id: Generated<number>
  object_kind: string
  object_n: number
  root_kind: string
  root_n: number
  /** 0: nobody knows, it was changed while this plugin was off. */
  editor_id: number
  status: number
  /** Counts the texts that an object has had, from 1; 0 for one that it never had. */
  position: Generated<number>
  /** Of a suggestion: the revision that it was made from. */
  base_id: Generated<number>
  created_at: number
  /** When it became the text; 0 for never. */
  stored_at: Generated<number>
  reviewer_id: Generated<number>
  reviewed_at: Generated<number>
  summary: Generated<string>
  /** JSON of a `RevisionText`. */
  text: string
}

export interface NoteTable {
  id: Generated<number>
  object_kind: string
  object_n: number
  root_kind: string
  root_n: number
  person_id: number
  type: string
  created_at: number
  /** 0 for never. */
  taken_back_at: Generated<number>
  /** What was said of it. */
  html: Generated<string>
}

export interface Tables {
  history__revision: RevisionTable
  history__note: NoteTable
}

/** Status numbers of the protocol. */
export const revisionStatus = { stored: 0, waiting: 1, approved: 2, rejected: 3 } as const
/** As a literal: suggestions that wait have an index of their own, which no database uses for a parameter. */
export const waitingStatus = sql.lit(revisionStatus.waiting)

export const revisionColumns = [
  'id',
  'object_kind',
  'object_n',
  'editor_id',
  'status',
  'position',
  'base_id',
  'created_at',
  'stored_at',
  'summary',
  'text',
] as const satisfies (keyof RevisionTable)[]
export type RevisionRow = Pick<Selectable<RevisionTable>, (typeof revisionColumns)[number]>
