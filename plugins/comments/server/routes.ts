import type { Route } from '@stoa/sdk/server'
import { route } from '@stoa/sdk/server'
import { commentCalls } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import type { Capabilities } from './capabilities.ts'
import { requireObject } from './find-object.ts'
import { commentsPage, personComments, writtenComment } from './read-tokens.ts'
import { deleteComment, editComment, writeComment } from './write-comment.ts'

/** All calls of this plugin. */
export function commentRoutes(capabilities: Capabilities): Route[] {
  const { ctx } = capabilities
  const numberOf = (id: string) => {
    const decoded = ctx.ids.decode(id)
    return decoded?.kind === 'comment' ? decoded.n : 0
  }

  return [
    route.read(commentCalls.page, schemas.page, {
      access: 'visitor',
      summary: 'Comments of an object. Page 0 is the first page by votes.',
      read: commentsPage,
      async params({ query, person }) {
        const { kind, n } = await requireObject(capabilities, query.object_id, person)
        const order = query.page === 0 ? 'vote' : query.query_cond
        return { kind, n, order, page: Math.max(1, query.page), page_size: query.page_size, wanted: numberOf(query.comment_id) }
      },
    }),
    route.write(commentCalls.create, schemas.create, {
      access: 'active',
      summary: 'Comments on an object.',
      form: { to: ({ comment_id: id }) => `?commentId=${id}#comment-${id}`, keeps: ['object_id', 'original_text'] },
      limit: { action: 'comment.add', max: 60, seconds: 600 },
      duplicateGuard: true,
      write: async ({ body, person }) => ({ n: await writeComment(capabilities, person, body) }),
      read: writtenComment,
    }),
    route(commentCalls.update, schemas.update, {
      access: 'active',
      summary: 'Rewrites a comment.',
      handle: ({ body, person }) => editComment(capabilities, person, body.comment_id, body.original_text),
    }),
    route(commentCalls.remove, schemas.remove, {
      access: 'active',
      summary: 'Deletes a comment.',
      handle: ({ body, person }) => deleteComment(capabilities, person, body.comment_id),
    }),
    route.read(commentCalls.personal, schemas.personal, {
      access: 'visitor',
      summary: 'Comments of one person.',
      read: personComments,
    }),
  ]
}
