import type { CommentView } from '../shared/api.ts'

/** How many come at once on demand. */
export const MORE = 100

export const can = (comment: CommentView, action: string): boolean => comment.member_actions.some((entry) => entry.action === action)
