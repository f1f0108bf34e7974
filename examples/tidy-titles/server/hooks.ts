import type { Person } from '@stoa/sdk'
import { waterfall } from '@stoa/sdk'

/** What we look at of a draft; other members pass through. */
export interface Draft {
  title: string
}

/** The moment before a post is stored, owned by the plugin `experiences`. Tokens are matched by id, so a copy will do. */
export const beforePublish = waterfall<(draft: Draft, author: Person) => Draft>('experiences.beforePublish', { onFault: 'refuse' })
