import type { CommentView } from '../shared/api.ts'

/** Comments that stand in the page from the start. */
export const FIRST = 5
/** How many come at once on demand. */
export const MORE = 100

export const can = (comment: CommentView, action: string): boolean => comment.member_actions.some((entry) => entry.action === action)
