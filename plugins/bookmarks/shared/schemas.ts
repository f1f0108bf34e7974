import { fallback, oneOf, pageOf, paging, Type } from '@stoa/sdk/schema'
import { card } from '../../accounts/shared/schemas.ts'

const nothing = Type.Null()
const text = Type.String()
const whole = Type.Integer()

export const toggle = {
  body: Type.Object({
    object_id: Type.String({ minLength: 1, maxLength: 100 }),
    /** There is one group a person, so each of them means that one; clients send `0`. */
    group_id: Type.String({ minLength: 1, maxLength: 100 }),
    bookmark: fallback(Type.Boolean(), false),
    /** From forms without scripts, whose page does not know what the caller chose: the opposite of that. */
    toggle: fallback(Type.Boolean(), false),
  }),
  reply: Type.Object({ object_collection_count: whole }),
}

/** A bookmark, with the members of the protocol's detail of a post. Its texts stay empty: the page of the post has them. */
export const bookmarked = Type.Object({
  id: text,
  title: text,
  url_title: text,
  content: text,
  html: text,
  description: text,
  tags: Type.Array(
    Type.Object({
      slug_name: text,
      display_name: text,
      main_tag_slug_name: text,
      recommend: Type.Boolean(),
      reserved: Type.Boolean(),
    }),
  ),
  view_count: whole,
  unique_view_count: whole,
  vote_count: whole,
  answer_count: whole,
  collection_count: whole,
  follow_count: whole,
  accepted_answer_id: text,
  last_answer_id: text,
  create_time: whole,
  update_time: whole,
  edit_time: whole,
  pin: whole,
  show: whole,
  status: whole,
  user_info: card,
  answered: Type.Boolean(),
  first_answer_id: text,
  read_state: Type.Optional(oneOf(['read', 'answered_since'])),
  collected: Type.Boolean(),
  vote_status: text,
  is_followed: Type.Boolean(),
  member_actions: nothing,
  extends_actions: nothing,
})
export const own = {
  query: Type.Object({
    ...paging(10),
    /** Sent by clients; bookmarks are shown to their owner only. */
    username: Type.Optional(Type.String({ maxLength: 100 })),
  }),
  reply: pageOf(bookmarked),
}
