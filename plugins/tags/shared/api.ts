import { defineErrors, event, read } from '@stoa/sdk'
import type { TagView } from '../../experiences/shared/api.ts'

/** Tags of posts, by running number of the post. */
export const tagsOf = read<{ experiences: number[] }, Record<number, TagView[]>>('tags.of')
/** Main tag's running number for a slug (synonyms lead to their main tag); null when unknown. */
export const tagBySlug = read<{ slug: string }, { n: number; slug: string } | null>('tags.bySlug')

export const tagEvents = {
  changed: event<{ n: number }>('tags.changed', { whileOff: 'resync' }),
}

export const tagErrors = defineErrors('error.tag', {
  not_found: { status: 404, message: 'No tag {name}' },
  already_exist: { status: 400, message: 'Tag {name} exists already' },
})
