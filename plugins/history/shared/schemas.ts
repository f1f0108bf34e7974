import { fallback, oneOf, Type } from '@stoa/sdk/schema'
import { card } from '../../accounts/shared/schemas.ts'

const nothing = Type.Null()
const text = Type.String()
const whole = Type.Integer()
const id = Type.String({ minLength: 1, maxLength: 100 })

/** What a plugin has stored with a text, as it says it. */
const fields = Type.Array(Type.Object({ slug: text, label: text, text }))

const revision = Type.Object({
  id: text,
  /** The editor's id; misspelt in the protocol. */
  use_id: text,
  object_id: text,
  title: text,
  url_title: text,
  /** The object as its owner sends it, with the text as it was. */
  content: Type.Unknown(),
  /** 0 stored, 1 waiting, 2 approved, 3 rejected. */
  status: whole,
  create_at: whole,
  user_info: card,
  reason: text,
  fields,
})
const tag = Type.Object({
  slug_name: text,
  display_name: text,
  main_tag_slug_name: text,
  recommend: Type.Boolean(),
  reserved: Type.Boolean(),
})
export const revisions = { query: Type.Object({ object_id: fallback(Type.String({ maxLength: 100 }), '') }), reply: Type.Array(revision) }

const subject = Type.Object({
  created_at: whole,
  object_id: text,
  experience_id: text,
  answer_id: text,
  comment_id: text,
  object_type: text,
  object_creator_user_id: text,
  title: text,
  url_title: text,
  content: text,
  html: text,
  answer_count: whole,
  answer_accepted: Type.Boolean(),
  tags: Type.Union([nothing, Type.Array(tag)]),
  status: whole,
  show_status: whole,
  fields,
})
export const unreviewed = {
  query: Type.Object({ page: fallback(Type.Integer({ minimum: 1 }), 1) }),
  reply: Type.Object({
    count: whole,
    list: Type.Array(Type.Object({ type: text, info: subject, unreviewed_info: revision })),
  }),
}
export const audit = {
  body: Type.Object({ id: Type.String({ minLength: 1, maxLength: 20 }), operation: oneOf(['approve', 'reject']) }),
  reply: Type.Object({}),
}

const line = Type.Object({
  activity_id: text,
  /** `0` for none. */
  revision_id: text,
  created_at: whole,
  activity_type: text,
  /** HTML. */
  comment: text,
  object_id: text,
  object_type: text,
  cancelled: Type.Boolean(),
  cancelled_at: whole,
  user_info: card,
})
export const timeline = {
  query: Type.Object({ object_id: fallback(Type.String({ maxLength: 100 }), ''), show_vote: fallback(Type.Boolean(), false) }),
  reply: Type.Object({
    object_info: Type.Object({
      title: text,
      object_type: text,
      experience_id: text,
      answer_id: text,
      username: text,
      display_name: text,
      main_tag_slug_name: text,
      url_title: text,
    }),
    timeline: Type.Array(line),
  }),
}

const side = Type.Object({ title: text, tags: Type.Array(tag), original_text: text, slug_name: text, main_tag_slug_name: text, fields })
export const detail = {
  query: Type.Object({ new_revision_id: id, old_revision_id: id }),
  reply: Type.Object({ new_revision: Type.Union([nothing, side]), old_revision: Type.Union([nothing, side]) }),
}
