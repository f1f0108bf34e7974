import type { Generated } from 'kysely'
import type { UploadSource } from '../shared/api.ts'

export interface Tables {
  uploads__file: {
    id: Generated<number>
    /** Below the folder of uploads. */
    path: string
    source: UploadSource
    person_id: number
    /** As it was called by who sent it. */
    name: string
    bytes: number
    created_at: number
  }
}
