import type { Page } from '@stoa/sdk'
import { read } from '@stoa/sdk'
import type { Static } from '@stoa/sdk/server'
import type { CommentedView, CommentView } from '../shared/api.ts'
import type * as schemas from '../shared/schemas.ts'

export interface ListParams {
  kind: string
  n: number
  order: '' | 'vote' | 'created_at'
  page: number
  page_size: number
  /** Running number of a comment that is wanted even when it stands on another page; 0 for none. */
  wanted: number
}

export type PersonalQuery = Static<typeof schemas.personal.query>
export type ProfileComment = Static<typeof schemas.personal.reply>['list'][number]

/** Reads that only this plugin's routes ask for. */
export const commentsPage = read<ListParams, Page<CommentView>>('comments.page')
/** What was just written, for who wrote it. */
export const writtenComment = read<{ n: number }, CommentView>('comments.written')
export const personComments = read<PersonalQuery, Page<ProfileComment>>('comments.ofPerson')
/** What a comment stands below, named by its owners. */
export const placeOfComment = read<{ kind: string; n: number; experience: number }, CommentedView>('comments.place')
