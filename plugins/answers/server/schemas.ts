import type { TSchema } from '@stoa/sdk/server'
import { Type } from '@stoa/sdk/server'
import { orderNames } from './read-answers.ts'

const text = Type.String()
const whole = Type.Integer()
const oneOf = <const T extends readonly string[]>(values: T) => Type.Unsafe<T[number]>(Type.String({ enum: [...values] }))
const pageOf = (item: TSchema) => Type.Object({ count: whole, list: Type.Array(item) })
const id = Type.String({ default: '', maxLength: 100 })
const paging = (size: number) => ({
  page: Type.Integer({ minimum: 1, default: 1 }),
  page_size: Type.Integer({ minimum: 1, default: size }),
})
/** The lower bound is looked at by hand, since blanks do not count. */
const content = Type.String({ default: '', maxLength: 65_535 })

export const queries = {
  info: Type.Object({ id }),
  page: Type.Object({
    ...paging(10),
    experience_id: id,
    order: Type.Unsafe<(typeof orderNames)[number]>(Type.String({ enum: [...orderNames], default: 'default' })),
  }),
  profile: Type.Object({
    ...paging(10),
    username: Type.String({ default: '', maxLength: 100 }),
    order: Type.Optional(oneOf(['newest', 'active', 'hot', 'score', 'unanswered'])),
  }),
  admin: Type.Object({
    ...paging(20),
    status: Type.Optional(oneOf(['normal', 'deleted', 'pending'])),
    query: Type.Optional(Type.String({ maxLength: 100 })),
    experience_id: Type.Optional(Type.String({ maxLength: 24 })),
  }),
}

export const bodies = {
  create: Type.Object({ experience_id: id, content }),
  update: Type.Object({ id, experience_id: id, content, edit_summary: Type.Optional(text) }),
  remove: Type.Object({ id: Type.String({ minLength: 1 }) }),
  accept: Type.Object({ experience_id: Type.String({ minLength: 1 }), answer_id: id }),
  recover: Type.Object({ answer_id: Type.String({ minLength: 1 }) }),
  withExperience: Type.Object({
    title: Type.String({ default: '' }),
    content: Type.String({ default: '' }),
    answer_content: content,
    tags: Type.Optional(Type.Union([Type.Null(), Type.Array(Type.Unknown())])),
  }),
  status: Type.Object({ answer_id: Type.String({ minLength: 1 }), status: oneOf(['available', 'deleted']) }),
}

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
const answer = Type.Object({
  id: text,
  experience_id: text,
  content: text,
  html: text,
  create_time: whole,
  update_time: whole,
  accepted: whole,
  user_info: card,
  update_user_info: Type.Optional(card),
  collected: Type.Boolean(),
  vote_status: text,
  vote_count: whole,
  comment_count: whole,
  status: whole,
  member_actions: Type.Array(Type.Object({ action: text, name: text, type: oneOf(['reason', 'edit', 'confirm']) })),
})
const times = { create_time: whole, update_time: whole, accepted: whole, vote_count: whole }

export const replies = {
  nothing: Type.Null(),
  info: Type.Object({ info: answer, experience: Type.Object({ id: text, title: text, url_title: text }) }),
  page: pageOf(answer),
  updated: Type.Object({ wait_for_review: Type.Boolean() }),
  profile: pageOf(
    Type.Object({
      answer_id: text,
      experience_id: text,
      ...times,
      experience_info: Type.Object({
        title: text,
        url_title: text,
        tags: Type.Array(Type.Object({ slug_name: text, display_name: text })),
      }),
    }),
  ),
  admin: pageOf(
    Type.Object({
      id: text,
      experience_id: text,
      description: text,
      ...times,
      user_info: card,
      experience_info: Type.Object({ title: text, url_title: text }),
    }),
  ),
}
