import { fallback, oneOf, pageOf, paging, Type } from '@stoa/sdk/schema'

const text = Type.String()
const whole = Type.Integer()

export const vote = {
  params: Type.Object({ type: oneOf(['up', 'down']) }),
  body: Type.Object({
    object_id: Type.String({ minLength: 1, maxLength: 100 }),
    is_cancel: fallback(Type.Boolean(), false),
    /** From forms without scripts, whose page does not know the caller's vote: the same vote again takes it back. */
    toggle: fallback(Type.Boolean(), false),
  }),
  reply: Type.Object({ up_votes: whole, down_votes: whole, votes: whole, vote_status: text }),
}
export const ownVote = Type.Object({
  created_at: whole,
  object_id: text,
  experience_id: text,
  answer_id: text,
  object_type: text,
  title: text,
  url_title: text,
  content: text,
  vote_type: text,
})
export const own = { query: Type.Object(paging(10)), reply: pageOf(ownVote) }
