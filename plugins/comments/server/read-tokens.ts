import type { Page } from '@stoa/sdk'
import { read } from '@stoa/sdk'
import type { CommentView } from '../shared/api.ts'
import type { ListParams, ProfileComment } from './read-comments.ts'

/** Reads that only this plugin's routes ask for. */
export const commentsPage = read<ListParams, Page<CommentView>>('comments.page')
export const commentsByNumber = read<{ ns: number[] }, CommentView[]>('comments.byNumber')
export const personComments = read<{ username: string; page: number; page_size: number }, Page<ProfileComment>>('comments.ofPerson')
