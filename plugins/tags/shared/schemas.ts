import { extend, fallback, oneOf, pageOf, paging, Type } from '@stoa/sdk/schema'

/** Characters of a name. */
export const longestName = 35

const nothing = Type.Null()
const text = Type.String()
const whole = Type.Integer()
const name = Type.String({ minLength: 1, maxLength: longestName })
const tagId = Type.String({ minLength: 1 })
const longText = { maxLength: 65_536 }

/** A tag to choose. */
export const basic = Type.Object({ slug_name: text, display_name: text, recommend: Type.Boolean(), reserved: Type.Boolean() })
/** A tag with its description. */
export const described = extend(basic, {
  tag_id: text,
  excerpt: text,
  description: text,
  original_text: text,
  parsed_text: text,
  follow_count: whole,
  experience_count: whole,
  is_follower: Type.Boolean(),
  created_at: whole,
  updated_at: whole,
})
const action = Type.Object({ action: text, name: text, type: text })

export const page = {
  query: Type.Object({
    ...paging(10),
    query_cond: Type.Optional(oneOf(['popular', 'name', 'newest'])),
    slug_name: Type.Optional(Type.String({ maxLength: longestName })),
    display_name: Type.Optional(Type.String({ maxLength: longestName })),
  }),
  reply: pageOf(described),
}
export const byName = { query: Type.Object({ tags: fallback(Type.String({ maxLength: 4000 }), '') }), reply: Type.Array(basic) }
export const info = {
  query: Type.Object({ id: Type.Optional(text), name: Type.Optional(text) }),
  reply: extend(described, { status: text, member_actions: Type.Array(action), main_tag_slug_name: text, version: Type.Optional(whole) }),
}
export const synonyms = {
  query: Type.Object({ tag_id: text }),
  reply: Type.Object({
    synonyms: Type.Array(Type.Object({ tag_id: text, slug_name: text, display_name: text, main_tag_slug_name: text })),
    member_actions: Type.Array(action),
  }),
}
export const suggest = { query: Type.Object({ tag: fallback(Type.String({ maxLength: 100 }), '') }), reply: Type.Array(basic) }
export const following = { reply: Type.Array(extend(basic, { tag_id: text, main_tag_slug_name: text })) }

export const create = {
  body: Type.Object({ slug_name: name, display_name: name, original_text: Type.String({ minLength: 1, ...longText }) }),
  reply: Type.Object({ slug_name: text }),
}
export const update = {
  body: Type.Object({
    tag_id: tagId,
    slug_name: Type.Optional(name),
    display_name: Type.Optional(name),
    original_text: Type.Optional(Type.String(longText)),
    edit_summary: Type.Optional(text),
    /** Version the edit was made from; without it, what others changed meanwhile is overwritten. */
    base: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
  reply: Type.Object({ wait_for_review: Type.Boolean() }),
}
export const byTag = { body: Type.Object({ tag_id: tagId }), reply: nothing }
const choice = Type.Object({
  slug_name: Type.Optional(text),
  display_name: Type.Optional(text),
  original_text: Type.Optional(text),
})
export const setSynonyms = {
  body: Type.Object({ tag_id: tagId, synonym_tag_list: Type.Array(choice, { maxItems: 100 }) }),
  reply: nothing,
}
