import { fallback, Type } from '@stoa/sdk/schema'
import { card } from '../../accounts/shared/schemas.ts'

const text = Type.String()
const whole = Type.Integer()
const flag = Type.Boolean()
const id = Type.String({ minLength: 1, maxLength: 100 })
const orNull = <T extends Parameters<typeof Type.Array>[0]>(schema: T) => Type.Union([schema, Type.Null()])
const tag = Type.Object({ slug_name: text, display_name: text, main_tag_slug_name: text, recommend: flag, reserved: flag })
const reason = Type.Object({
  reason_key: text,
  reason_type: whole,
  name: text,
  description: text,
  content_type: text,
  placeholder: text,
  have_content: flag,
})
/** Somebody's reason to flag something. */
const given = { submit_at: whole, submitter_user: card, reason: orNull(reason), reason_content: text }

export const create = {
  body: Type.Object({
    object_id: id,
    report_type: Type.Integer({ minimum: 0, maximum: 100_000 }),
    content: fallback(Type.String({ maxLength: 500 }), ''),
    /** The kind, as clients of the protocol send it; the id says it too. */
    source: Type.Optional(Type.String({ maxLength: 50 })),
  }),
  reply: Type.Null(),
}

const flagged = Type.Object({
  flag_id: text,
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
  answer_count: whole,
  answer_accepted: flag,
  tags: orNull(Type.Array(tag)),
  object_status: whole,
  object_show_status: whole,
  author_user_info: card,
  ...given,
  /** Flags of others on the same object; they are decided together. */
  others: Type.Array(Type.Object(given)),
  /** What the reader may do: `edit_post`, `close_post`, `delete_post`, `unlist_post`, `ignore_report`. */
  operations: Type.Array(text),
})
export const unreviewed = {
  query: Type.Object({ page: fallback(Type.Integer({ minimum: 1 }), 1) }),
  reply: Type.Object({ count: whole, list: Type.Array(flagged) }),
}

/** Two bodies of the protocol in one: `flag_id` with `operation_type`, or `id` with `flagged_type`. */
export const handle = {
  body: Type.Object({
    flag_id: Type.Optional(Type.String({ maxLength: 100 })),
    operation_type: Type.Optional(Type.String({ maxLength: 50 })),
    close_type: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000 })),
    close_msg: Type.Optional(Type.String({ maxLength: 2000 })),
    title: Type.Optional(Type.String({ maxLength: 1000 })),
    content: Type.Optional(Type.String({ maxLength: 65_535 })),
    tags: Type.Optional(
      orNull(
        Type.Array(
          Type.Object({
            slug_name: Type.String({ maxLength: 100 }),
            display_name: fallback(Type.String({ maxLength: 100 }), ''),
            original_text: fallback(Type.String({ maxLength: 65_535 }), ''),
          }),
          { maxItems: 100 },
        ),
      ),
    ),
    id: Type.Optional(Type.String({ maxLength: 100 })),
    action: Type.Optional(Type.String({ maxLength: 50 })),
    flagged_type: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000 })),
    flagged_content: Type.Optional(Type.String({ maxLength: 2000 })),
  }),
  reply: Type.Null(),
}
