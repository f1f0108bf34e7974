import { fallback, oneOf, pageOf, Type } from '@stoa/sdk/schema'
import { tag } from '../../experiences/shared/schemas.ts'
import { MAX_QUERY_LENGTH } from './query-syntax.ts'

const text = Type.String()
const whole = Type.Integer()

/** Results in one page, where none or too many are asked. */
export const SIZE = { usual: 30, most: 50 }

/** What is shown of a result. */
export const found = Type.Object({
  id: text,
  experience_id: text,
  title: text,
  url_title: text,
  excerpt: text,
  created_at: whole,
  vote_count: whole,
  accepted: Type.Boolean(),
  answer_count: whole,
  user_info: Type.Object({ id: text, username: text, display_name: text, rank: whole, status: text }),
  tags: Type.Union([Type.Array(tag), Type.Null()]),
  status: text,
})

export const search = {
  query: Type.Object({
    q: Type.String({ minLength: 1, maxLength: MAX_QUERY_LENGTH }),
    page: fallback(Type.Integer({ minimum: 1 }), 1),
    size: fallback(Type.Integer({ minimum: 1 }), SIZE.usual),
    order: fallback(oneOf(['relevance', 'newest', 'active', 'score']), 'relevance'),
  }),
  reply: pageOf(Type.Object({ object_type: text, object: found })),
}
export const describe = { reply: Type.Object({ name: text, icon: text, link: text }) }

/** Something with a name that what is typed may mean. */
export const option = Type.Object({
  /** As it is written in a query. */
  query: text,
  /** As people call it. */
  name: text,
  /** Its page. */
  path: text,
})
export const complete = {
  query: Type.Object({ q: Type.String({ minLength: 1, maxLength: 100 }) }),
  reply: Type.Array(option),
}

export const description = { reply: Type.String() }
