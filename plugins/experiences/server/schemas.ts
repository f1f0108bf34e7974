import type { TSchema } from '@stoa/sdk/server'
import { Type } from '@stoa/sdk/server'
import { orderNames } from './order.ts'

const nothing = Type.Null()
const text = Type.String()
const whole = Type.Integer()
const optional = <T extends TSchema>(schema: T) => Type.Optional(schema)
const oneOf = <const T extends readonly string[]>(values: T) => Type.Unsafe<T[number]>(Type.String({ enum: [...values] }))
const pageOf = (item: TSchema) => Type.Object({ count: whole, list: Type.Array(item) })

const paging = (size: number) => ({
  page: Type.Integer({ minimum: 1, default: 1 }),
  page_size: Type.Integer({ minimum: 1, default: size }),
})
const order = optional(oneOf(orderNames))

export const queries = {
  page: Type.Object({
    ...paging(10),
    order,
    tag: optional(Type.String({ maxLength: 100 })),
    username: optional(Type.String({ maxLength: 100 })),
    in_days: optional(Type.Integer({ minimum: 1, maximum: 36_500 })),
  }),
  info: Type.Object({ id: optional(text) }),
  similar: Type.Object({ title: Type.String({ default: '' }) }),
  related: Type.Object({ experience_id: text }),
  linked: Type.Object({ ...paging(10), experience_id: text, order, in_days: optional(Type.Integer({ minimum: 1 })) }),
  personal: Type.Object({
    ...paging(10),
    username: Type.String({ default: '' }),
    order: optional(oneOf(['newest', 'active', 'hot', 'score', 'unanswered'])),
  }),
  top: Type.Object({ username: Type.String({ default: '' }) }),
  admin: Type.Object({
    ...paging(20),
    status: optional(oneOf(['normal', 'closed', 'deleted', 'pending'])),
    query: optional(Type.String({ maxLength: 100 })),
  }),
  check: Type.Object({ id: text }),
}

/** Elements are looked at by hand, since a wrong one is a form error on `tags`. */
const tags = optional(Type.Union([Type.Null(), Type.Array(Type.Unknown())]))
const id = Type.String({ minLength: 1 })

export const bodies = {
  create: Type.Object({ title: optional(text), content: optional(text), tags }),
  update: Type.Object({ id: optional(text), title: optional(text), content: optional(text), tags, edit_summary: optional(text) }),
  id: Type.Object({ id }),
  experienceId: Type.Object({ experience_id: id }),
  close: Type.Object({ id, close_type: Type.Integer(), close_msg: Type.String({ default: '', maxLength: 2000 }) }),
  operation: Type.Object({ id, operation: oneOf(['pin', 'unpin', 'hide', 'show']) }),
  adminStatus: Type.Object({ experience_id: id, status: oneOf(['available', 'closed', 'deleted']) }),
}

const tag = Type.Object({
  slug_name: text,
  display_name: text,
  main_tag_slug_name: text,
  recommend: Type.Boolean(),
  reserved: Type.Boolean(),
})
const card = Type.Object({
  id: text,
  username: text,
  rank: whole,
  display_name: text,
  avatar: text,
  website: text,
  location: text,
  language: text,
  status: text,
})
const counts = {
  view_count: whole,
  unique_view_count: whole,
  vote_count: whole,
  answer_count: whole,
  collection_count: whole,
  follow_count: whole,
}
const state = { pin: whole, show: whole, status: whole, accepted_answer_id: text, last_answer_id: text }
const named = { id: text, title: text, url_title: text }
const action = Type.Object({ action: text, name: text, type: oneOf(['reason', 'edit', 'confirm']) })

const listItem = Type.Object({
  ...named,
  created_at: whole,
  description: text,
  tags: Type.Array(tag),
  ...counts,
  ...state,
  operated_at: whole,
  operator: Type.Union([
    Type.Null(),
    Type.Object({ id: text, username: text, rank: whole, display_name: text, status: text, avatar: text }),
  ]),
  operation_type: oneOf(['asked', 'answered', 'modified']),
})
const info = Type.Object({
  ...named,
  content: text,
  html: text,
  description: text,
  tags: Type.Array(tag),
  ...counts,
  ...state,
  create_time: whole,
  update_time: whole,
  edit_time: whole,
  operation: optional(
    Type.Object({ type: text, description: text, msg: text, time: whole, level: oneOf(['info', 'danger', 'warning', 'secondary']) }),
  ),
  user_info: Type.Union([Type.Null(), card]),
  update_user_info: optional(card),
  last_answered_user_info: optional(card),
  answered: Type.Boolean(),
  first_answer_id: text,
  collected: Type.Boolean(),
  vote_status: text,
  is_followed: Type.Boolean(),
  member_actions: Type.Array(action),
  extends_actions: Type.Array(action),
})
const personalItem = Type.Object({
  experience_id: text,
  title: text,
  url_title: text,
  vote_count: whole,
  tags: Type.Array(tag),
  view_count: whole,
  answer_count: whole,
  collection_count: whole,
  created_at: whole,
  accepted_answer_id: text,
  status: text,
})

export const replies = {
  nothing,
  page: pageOf(listItem),
  related: Type.Object({ count: whole, list: Type.Union([Type.Null(), Type.Array(listItem)]) }),
  info,
  similar: Type.Array(
    Type.Object({
      ...named,
      view_count: whole,
      answer_count: whole,
      collection_count: whole,
      follow_count: whole,
      status: text,
      accepted_answer: Type.Boolean(),
    }),
  ),
  updated: Type.Object({ url_title: text, wait_for_review: Type.Boolean() }),
  personal: pageOf(personalItem),
  top: Type.Object({ experience: Type.Array(personalItem), answer: Type.Array(Type.Object({})) }),
  admin: pageOf(
    Type.Object({
      ...named,
      vote_count: whole,
      show: whole,
      pin: whole,
      status: whole,
      answer_count: whole,
      accepted_answer_id: text,
      create_time: whole,
      update_time: whole,
      edit_time: whole,
      user_info: Type.Union([Type.Null(), card]),
    }),
  ),
}
