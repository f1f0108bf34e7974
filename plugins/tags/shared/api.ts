import { call, defineErrors, event, read } from '@stoa/sdk'
import type { TagView } from '../../experiences/shared/api.ts'
import type * as schemas from './schemas.ts'

/** Tags of posts, by running number of the post. */
export const tagsOf = read<{ experiences: number[] }, Record<number, TagView[]>>('tags.of')
/** Main tag's running number for a slug (synonyms lead to their main tag); null when unknown. */
export const tagBySlug = read<{ slug: string }, { n: number; slug: string } | null>('tags.bySlug')

export const tagEvents = {
  changed: event<{ n: number }>('tags.changed', { whileOff: 'resync' }),
}

export const tagCalls = {
  page: call.get<typeof schemas.page>('tags/page'),
  byName: call.get<typeof schemas.byName>('tags'),
  following: call.get<typeof schemas.following>('tags/following'),
  info: call.get<typeof schemas.info>('tag'),
  synonyms: call.get<typeof schemas.synonyms>('tag/synonyms'),
  suggest: call.get<typeof schemas.suggest>('experience/tags'),
  create: call.post<typeof schemas.create>('tag'),
  update: call.put<typeof schemas.update>('tag'),
  remove: call.del<typeof schemas.byTag>('tag'),
  recover: call.post<typeof schemas.byTag>('tag/recover'),
  setSynonyms: call.put<typeof schemas.setSynonyms>('tag/synonym'),
}

/** Data of the 409 `error.tag.changed_meanwhile` to an edit that names a version: somebody else was quicker, and this stands there now. */
export interface ChangedMeanwhile {
  version: number
  slug_name: string
  display_name: string
  original_text: string
}

export const tagErrors = defineErrors('error.tag', {
  not_found: { status: 404, message: 'No tag {name}' },
  already_exist: { status: 400, message: 'Tag {name} exists already' },
})
