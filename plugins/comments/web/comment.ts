/** A comment as `comment/page` gives it. */
export interface Comment {
  comment_id: string
  created_at: number
  vote_count: number
  is_vote: boolean
  original_text: string
  parsed_text: string
  user_id: string
  username: string
  user_display_name: string
  user_status: string
  reply_username: string
  reply_user_display_name: string
  reply_comment_id: string
  member_actions: { action: string; name: string; type: string }[] | null
}

export interface CommentPage {
  count: number
  list: Comment[]
}

/** Comments that stand in the page from the start. */
export const FIRST = 5
/** How many come at once on demand. */
export const MORE = 100

export const LIST = '/answer/api/v1/comment/page'
export const WRITE = '/answer/api/v1/comment'

export const can = (comment: Comment, action: string): boolean => comment.member_actions?.some((entry) => entry.action === action) === true
