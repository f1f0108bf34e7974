import { fallback, oneOf, pageOf, paging, Type } from '@stoa/sdk/schema'
import { card } from '../../accounts/shared/schemas.ts'
import { action, detailBeside, personalAnswer, tagChoices } from '../../experiences/shared/schemas.ts'

const nothing = Type.Null()
const text = Type.String()
const whole = Type.Integer()
const id = fallback(Type.String({ maxLength: 100 }), '')
const named = Type.String({ minLength: 1 })
/** The lower bound is looked at by hand, since blanks do not count. */
const content = fallback(Type.String({ maxLength: 65_535 }), '')

export const orderNames = ['default', 'updated', 'created', 'vote'] as const

/** Item of `answer/page`; votes fills `vote_status`. */
export const answer = Type.Object({
  id: text,
  experience_id: text,
  content: text,
  html: text,
  /** Of the text: an edit says which one it was made from. */
  version: Type.Optional(whole),
  create_time: whole,
  update_time: whole,
  /** 1, or 2 for accepted. */
  accepted: whole,
  user_info: card,
  update_user_info: Type.Optional(card),
  collected: Type.Boolean(),
  vote_status: text,
  vote_count: whole,
  comment_count: whole,
  /** 1 available, 10 deleted, 11 pending. */
  status: whole,
  member_actions: Type.Array(action),
  /** What plugins that are on show with it, by slug: their decorators put it there. */
  beside: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})
/** An answer with its experience. */
const withExperience = Type.Object({ info: answer, experience: detailBeside })

export const info = { query: Type.Object({ id }), reply: withExperience }
export const page = {
  /** `with_comments`: the first ones of each come along, in `beside.comments`. */
  query: Type.Object({
    ...paging(10),
    experience_id: id,
    order: fallback(oneOf(orderNames), 'default'),
    with_comments: Type.Optional(Type.Boolean()),
  }),
  reply: pageOf(answer),
}
export const personal = {
  query: Type.Object({
    ...paging(10),
    username: fallback(Type.String({ maxLength: 100 }), ''),
    order: Type.Optional(oneOf(['newest', 'active', 'hot', 'score', 'unanswered'])),
  }),
  reply: pageOf(personalAnswer),
}
export const adminPage = {
  query: Type.Object({
    ...paging(20),
    status: Type.Optional(oneOf(['normal', 'deleted', 'pending'])),
    /** `answer:<id>`, or part of the text. */
    query: Type.Optional(Type.String({ maxLength: 100 })),
    experience_id: Type.Optional(Type.String({ maxLength: 24 })),
  }),
  reply: pageOf(
    Type.Object({
      id: text,
      experience_id: text,
      description: text,
      create_time: whole,
      update_time: whole,
      accepted: whole,
      vote_count: whole,
      user_info: card,
      experience_info: Type.Object({ title: text, url_title: text }),
    }),
  ),
}

export const create = { body: Type.Object({ experience_id: id, content }), reply: withExperience }
export const createBoth = {
  body: Type.Object({ title: fallback(text, ''), content: fallback(text, ''), answer_content: content, tags: tagChoices }),
  reply: withExperience,
}
export const update = {
  body: Type.Object({
    id,
    experience_id: id,
    content,
    edit_summary: Type.Optional(text),
    base: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
  reply: Type.Object({ wait_for_review: Type.Boolean() }),
}
export const remove = { body: Type.Object({ id: named }), reply: nothing }
export const recover = { body: Type.Object({ answer_id: named }), reply: nothing }
export const accept = { body: Type.Object({ experience_id: named, answer_id: id }), reply: nothing }
export const setStatus = { body: Type.Object({ answer_id: named, status: oneOf(['available', 'deleted']) }), reply: nothing }
