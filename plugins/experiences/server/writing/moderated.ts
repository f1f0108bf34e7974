import type { ServerContext } from '@stoa/sdk/server'
import type { Moderated } from '../../../site/shared/api.ts'
import { reads } from '../read-tokens.ts'
import type { PostRow } from '../store/rows.ts'
import type { Tables } from '../store/tables.ts'
import { liveStatuses } from '../store/visibility.ts'
import type { createModeration } from './moderation.ts'
import type { createPublishing } from './publish.ts'

interface Needs {
  ctx: ServerContext<Tables>
  publishing: ReturnType<typeof createPublishing>
  moderation: ReturnType<typeof createModeration>
}

/** Lets staff handle posts from a list of flags or of what waits. */
export function createModerated({ ctx, publishing, moderation }: Needs): Moderated {
  const required = (n: number, person: Parameters<typeof moderation.seen>[0]): Promise<PostRow> =>
    moderation.visible(person, n, ctx.ids.encode('experience', n))
  return {
    kind: 'experience',
    async find(n, person) {
      const row = await moderation.seen(person, n)
      const present = row && (await ctx.read(reads.present, { n }))
      if (!row || !present) return undefined
      return {
        authorId: row.author_id,
        createdAt: row.created_at,
        title: row.title,
        url_title: row.url_title,
        experience_id: ctx.ids.encode('experience', n),
        answer_id: '',
        comment_id: '',
        content: present.text.content,
        html: present.html,
        about: '',
        tags: present.text.tags,
        answer_count: row.answer_count,
        answer_accepted: row.accepted_answer > 0,
        status: row.status,
        show: row.show,
      }
    },
    remove: async (n, person) => moderation.remove(person, await required(n, person)),
    close: async (n, person, { type, message }) => moderation.close(person, await required(n, person), type, message),
    unlist: async (n, person) => moderation.operate(person, await required(n, person), 'hide'),
    publish: moderation.publish,
    reject: moderation.reject,
    async countOf(personId, most) {
      const rows = await ctx.db.query
        .selectFrom('experiences__post')
        .select('id')
        .where('author_id', '=', personId)
        .where('status', 'in', liveStatuses)
        .limit(most)
        .execute()
      return rows.length
    },
    async edit(n, person, { title, content, tags }) {
      const row = await required(n, person)
      const store = await publishing.prepareEdit(row, { title: title.trim(), content, tags }, person, { summary: '' })
      return async () => {
        await store()
      }
    },
  }
}
