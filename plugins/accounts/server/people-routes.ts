import type { Route } from '@stoa/sdk/server'
import { route, Type } from '@stoa/sdk/server'
import { peopleSearch, publicProfile, ranking, staffSearch } from './read-tokens.ts'

const entry = Type.Object({
  username: Type.String(),
  rank: Type.Integer(),
  vote_count: Type.Integer(),
  display_name: Type.String(),
  avatar: Type.String(),
})
const name = Type.String({ minLength: 1, maxLength: 500 })

/** People as others see them. */
export const peopleRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/answer/api/v1/personal/user/info',
    access: 'visitor',
    summary: 'Public profile',
    query: Type.Object({ username: name }),
    reply: Type.Object({
      id: Type.String(),
      created_at: Type.Integer(),
      last_login_date: Type.Integer(),
      username: Type.String(),
      follow_count: Type.Integer(),
      answer_count: Type.Integer(),
      experience_count: Type.Integer(),
      rank: Type.Integer(),
      display_name: Type.String(),
      avatar: Type.String(),
      mobile: Type.String(),
      bio: Type.String(),
      bio_html: Type.String(),
      website: Type.String(),
      location: Type.String(),
      status: Type.String(),
      status_msg: Type.Optional(Type.String()),
    }),
    read: publicProfile,
  }),
  route({
    method: 'GET',
    path: '/answer/api/v1/user/ranking',
    access: 'visitor',
    summary: 'Who earned and voted most in the last seven days, and the staff',
    reply: Type.Object({
      users_with_the_most_reputation: Type.Array(entry),
      users_with_the_most_vote: Type.Array(entry),
      staffs: Type.Array(entry),
    }),
    read: ranking,
    readParams: () => ({}),
  }),
  route({
    method: 'GET',
    path: '/answer/api/v1/user/info/search',
    access: 'active',
    summary: 'Up to five people by the beginning of their name',
    query: Type.Object({ username: name }),
    reply: Type.Array(
      Type.Object({
        id: Type.String(),
        username: Type.String(),
        rank: Type.Integer(),
        display_name: Type.String(),
        avatar: Type.String(),
        website: Type.String(),
        location: Type.String(),
        language: Type.String(),
        status: Type.String(),
      }),
    ),
    read: peopleSearch,
  }),
  route({
    method: 'GET',
    path: '/answer/api/v1/user/staff',
    access: 'visitor',
    summary: 'Moderators and admins by the beginning of their name; null when there are none',
    query: Type.Object({
      username: Type.Optional(Type.String({ maxLength: 500 })),
      page_size: Type.Optional(Type.Integer({ minimum: 1 })),
    }),
    reply: Type.Union([
      Type.Array(Type.Object({ username: Type.String(), display_name: Type.String(), avatar: Type.String() })),
      Type.Null(),
    ]),
    read: staffSearch,
  }),
]
