import { fallback, oneOf, pageOf, paging, Type } from '@stoa/sdk/schema'

const text = Type.String()
const whole = Type.Integer()
const id = Type.String({ minLength: 1, maxLength: 100 })
const optionalId = fallback(Type.String({ maxLength: 100 }), '')
const original_text = Type.String({ minLength: 2, maxLength: 600 })

/** A comment as `comment/page` gives it; votes fills `is_vote`. */
export const comment = Type.Object({
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
  /** 1 available, 11 waiting to be published. */
  status: whole,
  member_actions: Type.Array(Type.Object({ action: text, name: text, type: text })),
})

export const page = {
  query: Type.Object({
    ...paging(10),
    page: fallback(Type.Integer({ minimum: 0 }), 1),
    object_id: id,
    comment_id: optionalId,
    query_cond: fallback(oneOf(['', 'vote', 'created_at']), ''),
  }),
  reply: pageOf(comment),
}
export const personal = {
  query: Type.Object({ ...paging(10), username: fallback(Type.String({ maxLength: 100 }), '') }),
  reply: pageOf(
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
export const create = { body: Type.Object({ object_id: id, original_text, reply_comment_id: optionalId }), reply: comment }
export const update = {
  body: Type.Object({ comment_id: id, original_text }),
  reply: Type.Object({ comment_id: text, original_text: text, parsed_text: text }),
}
export const remove = { body: Type.Object({ comment_id: id }), reply: Type.Null() }
