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
  /** What an uploader's own texts show. */
  uploads__use: {
    path: string
    /** `experience 5` */
    holder: string
    /** 0: it stands in something that was deleted, or was taken out of it. */
    shown: number
  }
}
