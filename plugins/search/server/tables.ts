/** Column with the number of {@link DocumentRow.parent_kind}; its name is from when only this kind had parts. */
export const PARENT_N = 'experience'

/** One object as the index knows it. */
export interface DocumentRow {
  /** Unix seconds of its creation times 2^20 plus a little: falling ids are falling age, in the full text index too. */
  id: number
  kind: string
  n: number
  /** What it belongs to; itself for what stands for itself. */
  parent_kind: string
  [PARENT_N]: number
  votes: number
  /** -1 where answers do not apply. */
  answers: number
  views: number
  accepted: number
  visible: number
  active_at: number
  /** Of title, text and tags: what is unchanged is not indexed again. */
  text_hash: string
}

/** Row of the progress table whose position grows with every change of the index. */
export const VERSION = '@version'

/** How far the index of a kind is; a kind without a row was never indexed. Rows about something else begin with `@`. */
export interface ProgressRow {
  kind: string
  /** Running number up to which the present rebuild has come. */
  position: number
  done: number
}

export interface SearchTables {
  search__document: DocumentRow
  search__progress: ProgressRow
}
