import { fallback, oneOf, pageOf, paging, Type } from '@stoa/sdk/schema'
import { card } from '../../accounts/shared/schemas.ts'

const nothing = Type.Null()
const text = Type.String()
const whole = Type.Integer()
const id = Type.String({ minLength: 1 })

export const orderNames = ['newest', 'active', 'hot', 'score', 'unanswered', 'frequent', 'recommend'] as const
const order = Type.Optional(oneOf(orderNames))

/** A tag as it stands at a post. */
export const tag = Type.Object({
  slug_name: text,
  display_name: text,
  main_tag_slug_name: text,
  recommend: Type.Boolean(),
  reserved: Type.Boolean(),
})
const counts = {
  view_count: whole,
  unique_view_count: whole,
  vote_count: whole,
  answer_count: whole,
  collection_count: whole,
  follow_count: whole,
}
const state = {
  /** 1 as usual, 2 pinned. */
  pin: whole,
  /** 1 listed, 2 unlisted. */
  show: whole,
  status: whole,
  /** Empty or `0` for none. */
  accepted_answer_id: text,
  last_answer_id: text,
}
const named = { id: text, title: text, url_title: text }
/** A button of clients. */
export const action = Type.Object({ action: text, name: text, type: oneOf(['reason', 'edit', 'confirm']) })

/** Item of every experience list; owners other than experiences fill `tags`. */
export const listItem = Type.Object({
  ...named,
  created_at: whole,
  description: text,
  tags: Type.Array(tag),
  ...counts,
  ...state,
  operated_at: whole,
  operator: Type.Union([nothing, Type.Object({ id: text, username: text, rank: whole, display_name: text, status: text, avatar: text })]),
  operation_type: oneOf(['asked', 'answered', 'modified']),
  /** For the member who asks: has opened it, and whether somebody has answered since. */
  read_state: Type.Optional(oneOf(['read', 'answered_since'])),
})

const detailMembers = {
  ...named,
  content: text,
  html: text,
  /** Of title, text and tags: an edit says which one it was made from. */
  version: Type.Optional(whole),
  description: text,
  tags: Type.Array(tag),
  ...counts,
  ...state,
  create_time: whole,
  update_time: whole,
  /** 0 for never. */
  edit_time: whole,
  operation: Type.Optional(
    Type.Object({
      type: text,
      description: text,
      msg: text,
      /** Unix seconds, 0 when nobody knows. */
      time: whole,
      level: oneOf(['info', 'danger', 'warning', 'secondary']),
      /** Who did it. */
      user_info: Type.Optional(card),
      /** What a duplicate repeats, when the reader may see it. */
      original: Type.Optional(Type.Object(named)),
    }),
  ),
  /** Who took it out of the lists, and when. */
  unlisted: Type.Optional(Type.Object({ time: whole, user_info: Type.Optional(card) })),
  user_info: card,
  update_user_info: Type.Optional(card),
  last_answered_user_info: Type.Optional(card),
  answered: Type.Boolean(),
  first_answer_id: text,
  /** How many listed experiences link to it. */
  linked_count: Type.Optional(whole),
  collected: Type.Boolean(),
  vote_status: text,
  is_followed: Type.Boolean(),
  /** Values of plugins that are on, by slug. */
  extensions: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  /** What plugins that are on show with it, by slug: their decorators put it there. Nothing of it is stored here or sent back. */
  beside: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
}
/** An experience with its text; votes fills `vote_status`, tags `tags`, answers `answered` and `first_answer_id`. */
export const detail = Type.Object({ ...detailMembers, member_actions: Type.Array(action), extends_actions: Type.Array(action) })
/** The same beside an answer: what may be done with it is left to its own call. */
export const detailBeside = Type.Object({ ...detailMembers, member_actions: nothing, extends_actions: nothing })

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
/** An answer in a profile. */
export const personalAnswer = Type.Object({
  answer_id: text,
  experience_id: text,
  /** 1, or 2 for accepted. */
  accepted: whole,
  vote_count: whole,
  create_time: whole,
  update_time: whole,
  experience_info: Type.Object({ title: text, url_title: text, tags: Type.Array(tag) }),
})

export const page = {
  query: Type.Object({
    ...paging(10),
    order,
    tag: Type.Optional(Type.String({ maxLength: 100 })),
    username: Type.Optional(Type.String({ maxLength: 100 })),
    in_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 36_500 })),
  }),
  reply: pageOf(listItem),
}
export const info = {
  /** `with_comments`: the first ones come along, in `beside.comments`. */
  query: Type.Object({ id: Type.Optional(text), with_comments: Type.Optional(Type.Boolean()) }),
  reply: detail,
}
export const similar = {
  query: Type.Object({ title: fallback(text, '') }),
  reply: Type.Array(
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
}
export const related = {
  query: Type.Object({ experience_id: text }),
  reply: Type.Object({ count: whole, list: Type.Union([nothing, Type.Array(listItem)]) }),
}
/** What the aside of a post's page shows of others. */
export const alike = {
  query: related.query,
  reply: Type.Object({ list: Type.Array(Type.Object({ ...named, answer_count: whole })) }),
}
export const linked = {
  query: Type.Object({ ...paging(10), experience_id: text, order, in_days: Type.Optional(Type.Integer({ minimum: 1 })) }),
  reply: page.reply,
}
export const personal = {
  query: Type.Object({
    ...paging(10),
    username: fallback(text, ''),
    order: Type.Optional(oneOf(['newest', 'active', 'hot', 'score', 'unanswered'])),
  }),
  reply: pageOf(personalItem),
}
export const top = {
  query: Type.Object({ username: fallback(text, '') }),
  reply: Type.Object({ experience: Type.Array(personalItem), answer: Type.Array(personalAnswer) }),
}
export const adminPage = {
  query: Type.Object({
    ...paging(20),
    status: Type.Optional(oneOf(['normal', 'closed', 'deleted', 'pending'])),
    /** Part of a title, or `experience:<id>`. */
    query: Type.Optional(Type.String({ maxLength: 100 })),
  }),
  reply: pageOf(
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
      user_info: card,
    }),
  ),
}
export const editCheck = { query: Type.Object({ id: text }), reply: nothing }

/** Elements are looked at by hand, since a wrong one is a form error on `tags`. */
export const tagChoices = Type.Optional(Type.Union([nothing, Type.Array(Type.Unknown())]))

/** By slug; each plugin checks its own. `null` takes a value away, what is left out stays. */
const extensions = Type.Optional(Type.Union([nothing, Type.Record(Type.String(), Type.Unknown())]))

export const create = {
  body: Type.Object({ title: Type.Optional(text), content: Type.Optional(text), tags: tagChoices, extensions }),
  reply: detail,
}
export const update = {
  body: Type.Object({
    id: Type.Optional(text),
    title: Type.Optional(text),
    content: Type.Optional(text),
    tags: tagChoices,
    extensions,
    edit_summary: Type.Optional(text),
    /** Version the edit was made from; without it, what others changed meanwhile is overwritten. */
    base: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
  reply: Type.Object({ url_title: text, wait_for_review: Type.Boolean() }),
}
export const remove = { body: Type.Object({ id }), reply: nothing }
export const close = {
  body: Type.Object({ id, close_type: whole, close_msg: fallback(Type.String({ maxLength: 2000 }), '') }),
  reply: nothing,
}
export const byExperience = { body: Type.Object({ experience_id: id }), reply: nothing }
export const operate = { body: Type.Object({ id, operation: oneOf(['pin', 'unpin', 'hide', 'show']) }), reply: nothing }
export const setStatus = {
  body: Type.Object({ experience_id: id, status: oneOf(['available', 'closed', 'deleted']) }),
  reply: nothing,
}
