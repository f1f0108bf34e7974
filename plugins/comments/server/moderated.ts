import { isStaff } from '@stoa/sdk'
import type { Wanted } from '@stoa/sdk/server'
import type { Moderated, moderated } from '../../site/shared/api.ts'
import type { Capabilities } from './capabilities.ts'
import { findObject } from './find-object.ts'
import { placeOfComment } from './read-tokens.ts'
import { commentColumns, commentStatus } from './tables.ts'
import { deleteComment, prepareEdit, publishComment, rejectComment } from './write-comment.ts'

/** Lets staff handle comments from a list of flags or of what waits. @param owners of what is commented on, among others */
export function moderatedComments(capabilities: Capabilities, owners: Wanted<typeof moderated>): Moderated {
  const { ctx } = capabilities
  const idOf = (n: number) => ctx.ids.encode('comment', n)
  return {
    kind: 'comment',
    async find(n, person) {
      const row = await ctx.db.query
        .selectFrom('comments__comment')
        .select(commentColumns)
        .where('id', '=', n)
        .where('status', '!=', commentStatus.deleted)
        .executeTakeFirst()
      const object = row && (await findObject(capabilities, row.object_kind, row.object_n, person))
      const isSeen = row?.status === commentStatus.available || isStaff(person) || row?.person_id === person.id
      if (!row || !object || !isSeen) return undefined
      const place = await ctx.read(placeOfComment, { kind: row.object_kind, n: row.object_n, experience: row.experience })
      const owner = owners.current.find(({ service }) => service.kind === row.object_kind)?.service
      return {
        authorId: row.person_id,
        createdAt: row.created_at,
        ...place,
        comment_id: idOf(n),
        content: row.original_text,
        html: row.parsed_text,
        about: (await owner?.find(row.object_n, person))?.html ?? '',
        tags: null,
        answer_count: 0,
        answer_accepted: false,
        status: row.status,
        show: 1,
      }
    },
    remove: (n, person) => deleteComment(capabilities, person, idOf(n)),
    publish: (n) => publishComment(capabilities, n),
    reject: (n) => rejectComment(capabilities, n),
    async countOf(personId, most) {
      const rows = await ctx.db.query
        .selectFrom('comments__comment')
        .select('id')
        .where('person_id', '=', personId)
        .where('status', '=', commentStatus.available)
        .limit(most)
        .execute()
      return rows.length
    },
    async edit(n, person, { content }) {
      const store = await prepareEdit(capabilities, person, idOf(n), content)
      return async () => {
        await store()
      }
    },
  }
}
