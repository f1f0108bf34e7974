import type { Generated, Selectable } from 'kysely'

export interface ItemTable {
  id: Generated<number>
  object_kind: string
  object_n: number
  author_id: number
  status: number
  /** JSON of the reasons of those who did not let it pass. */
  reasons: string
  created_at: number
  /** Who decided; 0 for nobody and for the site itself. */
  decided_by: Generated<number>
  decided_at: Generated<number>
  /** What was said to a rejection. */
  note: Generated<string>
}

export interface Tables {
  review__item: ItemTable
}

/** Status numbers of the protocol. */
export const itemStatus = { waiting: 1, approved: 2, rejected: 3 } as const

export const itemColumns = [
  'id',
  'object_kind',
  'object_n',
  'author_id',
  'status',
  'reasons',
  'created_at',
] as const satisfies (keyof ItemTable)[]
export type ItemRow = Pick<Selectable<ItemTable>, (typeof itemColumns)[number]>
