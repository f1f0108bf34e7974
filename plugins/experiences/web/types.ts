import type { PersonCard } from '../../accounts/shared/api.ts'

/** Replies of our calls, as pages read them. */
export interface Tag {
  slug_name: string
  display_name: string
  main_tag_slug_name: string
  recommend: boolean
  reserved: boolean
}

export interface ListItem {
  id: string
  title: string
  url_title: string
  description: string
  pin: number
  show: number
  status: number
  tags: Tag[]
  created_at: number
  view_count: number
  vote_count: number
  answer_count: number
  accepted_answer_id: string
  operated_at: number
  operator: PersonCard | null
  operation_type: 'asked' | 'answered' | 'modified'
}

export interface List {
  count: number
  list: ListItem[]
}

export interface Action {
  action: string
  name: string
  type: string
}

export interface Detail {
  id: string
  title: string
  url_title: string
  content: string
  html: string
  description: string
  tags: Tag[]
  view_count: number
  vote_count: number
  vote_status: string
  answer_count: number
  answered: boolean
  first_answer_id: string
  accepted_answer_id: string
  create_time: number
  update_time: number
  edit_time: number
  pin: number
  show: number
  status: number
  operation?: { type: string; description: string; msg: string; time: number; level: string }
  user_info: PersonCard
  update_user_info?: PersonCard
  member_actions: Action[]
  [member: string]: unknown
}
