import type { TSchema } from '@stoa/sdk/server'
import { Type } from '@stoa/sdk/server'

const text = Type.String()
const whole = Type.Integer()
const id = Type.String({ minLength: 1, maxLength: 100 })
const optionalId = Type.String({ default: '', maxLength: 100 })
const pageOf = (item: TSchema) => Type.Object({ count: whole, list: Type.Array(item) })
const paging = { page: Type.Integer({ minimum: 0, default: 1 }), page_size: Type.Integer({ minimum: 1, default: 10 }) }
const original_text = Type.String({ minLength: 2, maxLength: 600 })

export const queries = {
  page: Type.Object({
    ...paging,
    object_id: id,
    comment_id: optionalId,
    query_cond: Type.Unsafe<'' | 'vote' | 'created_at'>(Type.String({ enum: ['', 'vote', 'created_at'], default: '' })),
  }),
  profile: Type.Object({
    ...paging,
    page: Type.Integer({ minimum: 1, default: 1 }),
    username: Type.String({ default: '', maxLength: 100 }),
  }),
}

export const bodies = {
  create: Type.Object({ object_id: id, original_text, reply_comment_id: optionalId }),
  update: Type.Object({ comment_id: id, original_text }),
  remove: Type.Object({ comment_id: id }),
}

const comment = Type.Object({
  comment_id: text,
  created_at: whole,
  object_id: text,
  vote_count: whole,
  is_vote: Type.Boolean(),
  original_text: text,
  parsed_text: text,
  user_id: text,
  username: text,
  user_display_name: text,
  user_avatar: text,
  user_status: text,
  reply_user_id: text,
  reply_username: text,
  reply_user_display_name: text,
  reply_comment_id: text,
  reply_user_status: text,
  member_actions: Type.Array(Type.Object({ action: text, name: text, type: text })),
})

export const replies = {
  nothing: Type.Null(),
  comment,
  page: pageOf(comment),
  updated: Type.Object({ comment_id: text, original_text: text, parsed_text: text }),
  profile: pageOf(
    Type.Object({
      comment_id: text,
      created_at: whole,
      object_id: text,
      experience_id: text,
      answer_id: text,
      object_type: text,
      title: text,
      url_title: text,
      content: text,
    }),
  ),
}
