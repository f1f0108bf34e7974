import { fallback, Type } from '@stoa/sdk/schema'
import { card } from '../../accounts/shared/schemas.ts'

const text = Type.String()
const whole = Type.Integer()
const flag = Type.Boolean()
const tag = Type.Object({ slug_name: text, display_name: text, main_tag_slug_name: text, recommend: flag, reserved: flag })

const queued = Type.Object({
  review_id: whole,
  created_at: whole,
  object_id: text,
  experience_id: text,
  answer_id: text,
  comment_id: text,
  object_type: text,
  title: text,
  url_title: text,
  original_text: text,
  parsed_text: text,
  /** HTML of what it answers or comments on. */
  about: text,
  tags: Type.Union([Type.Array(tag), Type.Null()]),
  object_status: whole,
  object_show_status: whole,
  author_user_info: card,
  submit_at: whole,
  /** Names of the reviewers that did not let it pass. */
  submitter_display_name: text,
  reason: text,
})
export const pending = {
  query: Type.Object({
    page: fallback(Type.Integer({ minimum: 1 }), 1),
    object_id: fallback(Type.String({ maxLength: 100 }), ''),
  }),
  reply: Type.Object({ count: whole, list: Type.Array(queued) }),
}

/** Two bodies of the protocol in one: `review_id` with `status`, or `flag_id` with `operation_type`. */
export const decide = {
  body: Type.Object({
    /** A number, which some clients send as text. */
    review_id: Type.Optional(Type.Union([Type.Integer(), Type.String({ maxLength: 50 })])),
    status: Type.Optional(Type.String({ maxLength: 50 })),
    /** What the author of something rejected is told. */
    note: Type.Optional(Type.String({ maxLength: 500 })),
    flag_id: Type.Optional(Type.String({ maxLength: 100 })),
    operation_type: Type.Optional(Type.String({ maxLength: 50 })),
    close_type: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000 })),
    close_msg: Type.Optional(Type.String({ maxLength: 2000 })),
  }),
  reply: Type.Null(),
}
