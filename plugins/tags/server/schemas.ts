import type { TSchema } from '@stoa/sdk/server'
import { Type } from '@stoa/sdk/server'
import { longestName } from './slug.ts'

const text = Type.String()
const whole = Type.Integer()
const optional = <T extends TSchema>(schema: T) => Type.Optional(schema)
const name = Type.String({ minLength: 1, maxLength: longestName })
const tagId = Type.String({ minLength: 1 })

export const queries = {
  page: Type.Object({
    page: Type.Integer({ minimum: 1, default: 1 }),
    page_size: Type.Integer({ minimum: 1, default: 10 }),
    query_cond: optional(Type.Unsafe<'popular' | 'name' | 'newest'>(Type.String({ enum: ['popular', 'name', 'newest'] }))),
    slug_name: optional(Type.String({ maxLength: longestName })),
    display_name: optional(Type.String({ maxLength: longestName })),
  }),
  byName: Type.Object({ tags: Type.String({ default: '', maxLength: 4000 }) }),
  info: Type.Object({ id: optional(text), name: optional(text) }),
  synonyms: Type.Object({ tag_id: text }),
  suggest: Type.Object({ tag: Type.String({ default: '', maxLength: 100 }) }),
}

const item = Type.Object({ slug_name: optional(text), display_name: optional(text), original_text: optional(text) })

export const bodies = {
  create: Type.Object({ slug_name: name, display_name: name, original_text: Type.String({ minLength: 1, maxLength: 65_536 }) }),
  update: Type.Object({
    tag_id: tagId,
    slug_name: optional(name),
    display_name: optional(name),
    original_text: optional(Type.String({ maxLength: 65_536 })),
    edit_summary: optional(text),
  }),
  id: Type.Object({ tag_id: tagId }),
  synonyms: Type.Object({ tag_id: tagId, synonym_tag_list: Type.Array(item, { maxItems: 100 }) }),
}

const basic = { slug_name: text, display_name: text, recommend: Type.Boolean(), reserved: Type.Boolean() }
const described = {
  tag_id: text,
  ...basic,
  excerpt: text,
  description: text,
  original_text: text,
  parsed_text: text,
  follow_count: whole,
  experience_count: whole,
  is_follower: Type.Boolean(),
  created_at: whole,
  updated_at: whole,
}
const action = Type.Object({ action: text, name: text, type: text })

export const replies = {
  nothing: Type.Null(),
  page: Type.Object({ count: whole, list: Type.Array(Type.Object(described)) }),
  basics: Type.Array(Type.Object(basic)),
  info: Type.Object({ ...described, status: text, member_actions: Type.Array(action), main_tag_slug_name: text }),
  created: Type.Object({ slug_name: text }),
  updated: Type.Object({ wait_for_review: Type.Boolean() }),
  synonyms: Type.Object({
    synonyms: Type.Array(Type.Object({ tag_id: text, slug_name: text, display_name: text, main_tag_slug_name: text })),
    member_actions: Type.Array(action),
  }),
  following: Type.Array(Type.Object({ tag_id: text, ...basic, main_tag_slug_name: text })),
}
