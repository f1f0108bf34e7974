import { oneOf, pageOf, paging, Type } from '@stoa/sdk/schema'
import { card } from '../../accounts/shared/schemas.ts'

const text = Type.String()
const whole = Type.Integer()
const nothing = Type.Null()
const id = Type.String({ minLength: 1, maxLength: 100 })
const username = Type.String({ minLength: 1, maxLength: 100 })

/** `icon`: a name that clients of the protocol know, or an http address. `level`: 1 bronze, 2 silver, 3 gold. */
const badge = { id: text, name: text, icon: text, level: whole }

export const listed = Type.Object({ ...badge, award_count: whole, /** How often the person who asks has it. */ earned_count: whole })
export const list = { reply: Type.Array(Type.Object({ group_name: text, badges: Type.Array(listed) })) }

export const info = {
  query: Type.Object({ id }),
  reply: Type.Object({ ...badge, description: text, award_count: whole, earned_count: whole, is_single: Type.Boolean() }),
}

/** Ids and title of the post behind an award are empty when there is none, or when not everybody can see it. */
export const award = Type.Object({
  created_at: whole,
  object_id: text,
  experience_id: text,
  answer_id: text,
  comment_id: text,
  object_type: text,
  /** Title of the post, as the protocol has it here. */
  url_title: text,
  author_user_info: card,
})
export const awards = {
  query: Type.Object({ badge_id: id, username: Type.Optional(username), ...paging(10) }),
  reply: pageOf(award),
}

export const ofPerson = Type.Object({ ...badge, earned_count: whole })
/** All of them at once, whatever page is asked for. */
export const personal = { query: Type.Object({ username }), reply: pageOf(ofPerson) }
export const recent = { query: Type.Object({ username }), reply: pageOf(ofPerson) }

export const unseen = {
  reply: Type.Array(Type.Object({ award_id: text, ...badge, description: text })),
}
export const seen = { body: Type.Object({ award_ids: Type.Array(id, { maxItems: 20 }) }), reply: nothing }

export const adminListed = Type.Object({
  ...badge,
  description: text,
  award_count: whole,
  /** Of the protocol; nobody ever fills it. */
  earned: Type.Boolean(),
  group_name: text,
  status: oneOf(['active', 'inactive']),
})
export const adminPage = {
  query: Type.Object({
    ...paging(10),
    status: Type.Optional(oneOf(['active', 'inactive', ''])),
    /** Part of a name in the reader's language, or `badge:<id>`. */
    q: Type.Optional(Type.String({ maxLength: 100 })),
  }),
  reply: pageOf(adminListed),
}
export const setStatus = { body: Type.Object({ id, status: Type.String({ maxLength: 20 }) }), reply: nothing }
