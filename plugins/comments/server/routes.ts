import type { Person } from '@stoa/sdk'
import type { Route } from '@stoa/sdk/server'
import { route } from '@stoa/sdk/server'
import type { Capabilities } from './capabilities.ts'
import { requireObject } from './find-object.ts'
import { commentsByNumber, commentsPage, personComments } from './read-tokens.ts'
import { bodies, queries, replies } from './schemas.ts'
import { deleteComment, editComment, writeComment } from './write-comment.ts'

const path = '/answer/api/v1/comment'

/** All calls of this plugin. */
export function commentRoutes(capabilities: Capabilities): Route[] {
  const { ctx } = capabilities
  const numberOf = (id: string) => {
    const decoded = ctx.ids.decode(id)
    return decoded?.kind === 'comment' ? decoded.n : 0
  }

  return [
    route({
      method: 'GET',
      path: `${path}/page`,
      access: 'visitor',
      summary: 'Comments of an object. Page 0 is the first page by votes.',
      query: queries.page,
      reply: replies.page,
      read: commentsPage,
      async readParams({ query, person }) {
        const { kind, n } = await requireObject(capabilities, query.object_id, person)
        const order = query.page === 0 ? 'vote' : query.query_cond
        return { kind, n, order, page: Math.max(1, query.page), page_size: query.page_size, wanted: numberOf(query.comment_id) }
      },
    }),
    route({
      method: 'POST',
      path,
      access: 'active',
      summary: 'Comments on an object.',
      body: bodies.create,
      reply: replies.comment,
      duplicateGuard: true,
      async handle({ body, person }) {
        await ctx.limit('comment.add', { key: (person as Person).id, max: 60, seconds: 600 })
        const n = await writeComment(capabilities, person as Person, body)
        return (await ctx.read(commentsByNumber, { ns: [n] }))[0]
      },
    }),
    route({
      method: 'PUT',
      path,
      access: 'active',
      summary: 'Rewrites a comment.',
      body: bodies.update,
      reply: replies.updated,
      handle: ({ body, person }) => editComment(capabilities, person as Person, body.comment_id, body.original_text),
    }),
    route({
      method: 'DELETE',
      path,
      access: 'active',
      summary: 'Deletes a comment.',
      body: bodies.remove,
      reply: replies.nothing,
      handle: ({ body, person }) => deleteComment(capabilities, person as Person, body.comment_id),
    }),
    route({
      method: 'GET',
      path: '/answer/api/v1/personal/comment/page',
      access: 'visitor',
      summary: 'Comments of one person.',
      query: queries.profile,
      reply: replies.profile,
      read: personComments,
    }),
  ]
}
