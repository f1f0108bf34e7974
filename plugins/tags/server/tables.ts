import type { Generated } from 'kysely'

export interface TagTable {
  id: Generated<number>
  /** Lower case, unique. */
  slug: string
  display_name: string
  display_lower: string
  /** Main tag of a synonym; 0 for a main tag. */
  main_id: Generated<number>
  /** 1 available, 10 deleted. */
  status: Generated<number>
  /** Posts in public lists. */
  experience_count: Generated<number>
  /** People who follow it; kept while nobody can. */
  follow_count: Generated<number>
  author_id: number
  created_at: number
  updated_at: number
  /** Grows with each change of name or text. */
  version: Generated<number>
  /** Plain text of the beginning. */
  description: Generated<string>
  original_text: Generated<string>
  parsed_text: Generated<string>
}

export interface Tables {
  tags__tag: TagTable
  /** Posts are attached to main tags only. `listed` 1: the post counts. */
  tags__relation: { experience_id: number; tag_id: number; position: number; listed: number }
  /** Posts whose tags lists were not told yet. */
  tags__ungrouped: { experience_id: number }
}

export const tagStatus = { available: 1, deleted: 10 } as const
