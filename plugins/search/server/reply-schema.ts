import { Type } from '@stoa/sdk/server'

const tag = Type.Object({
  slug_name: Type.String(),
  display_name: Type.String(),
  main_tag_slug_name: Type.String(),
  recommend: Type.Boolean(),
  reserved: Type.Boolean(),
})

const found = Type.Object({
  id: Type.String(),
  experience_id: Type.String(),
  title: Type.String(),
  url_title: Type.String(),
  excerpt: Type.String(),
  created_at: Type.Integer(),
  vote_count: Type.Integer(),
  accepted: Type.Boolean(),
  answer_count: Type.Integer(),
  user_info: Type.Object({
    id: Type.String(),
    username: Type.String(),
    display_name: Type.String(),
    rank: Type.Integer(),
    status: Type.String(),
  }),
  tags: Type.Union([Type.Array(tag), Type.Null()]),
  status: Type.String(),
})

/** `data` of `GET search`. */
export const resultsSchema = Type.Object({
  count: Type.Integer(),
  list: Type.Array(Type.Object({ object_type: Type.String(), object: found })),
})
