import type { Generated } from 'kysely'

export interface Tables {
  follows__follow: {
    id: Generated<number>
    object_kind: string
    object_n: number
    person_id: number
    created_at: number
  }
}
