import type { Needed, Wanted } from '@stoa/sdk/server'
import type { people } from '../../accounts/shared/api.ts'
import { mentionedIn } from '../../accounts/shared/api.ts'
import type { notices } from '../../notifications/shared/api.ts'
import { commentEvents } from '../shared/api.ts'
import type { Capabilities } from './capabilities.ts'
import { findObject } from './find-object.ts'
import { commentStatus } from './tables.ts'

interface Wants {
  people: Needed<typeof people>
  notices: Wanted<typeof notices>
}

/** Tells people who is answered, named, and whose post or answer is commented on: each of them once, by the first of these. */
export function tellOfComments(capabilities: Capabilities, { people, notices }: Wants): void {
  const { ctx } = capabilities

  const rowOf = (n: number) =>
    ctx.db.query
      .selectFrom('comments__comment')
      .select(['object_kind', 'object_n', 'person_id', 'reply_person', 'parsed_text'])
      .where('id', '=', n)
      .where('status', '=', commentStatus.available)
      .executeTakeFirst()

  const namedIn = async (html: string): Promise<number[]> => {
    const found = await Promise.all(mentionedIn(html).map((name) => people.idOf(name)))
    return found.filter((id) => id !== undefined)
  }

  ctx.on(
    commentEvents.created,
    async ({ n }) => {
      const row = await rowOf(n)
      if (!row || !notices.current) return
      const object = { kind: 'comment', n }
      const under = { kind: row.object_kind, n: row.object_n }
      const notice = { actorId: row.person_id, key: `${n}`, object, under }
      const told = new Set<number>()
      const tell = async (kind: string, ids: readonly number[]) => {
        const to = ids.filter((id) => id > 0 && !told.has(id))
        for (const id of to) told.add(id)
        await notices.current?.tell({ ...notice, kind, to })
      }
      await tell('comment.replied', [row.reply_person])
      await tell('comment.mentioned', await namedIn(row.parsed_text))
      const commented = await findObject(capabilities, under.kind, under.n, null)
      await tell('comment.created', commented ? [commented.authorId] : [])
    },
    { name: 'notices.created' },
  )

  // Who is named later than the comment was written.
  ctx.on(
    commentEvents.changed,
    async ({ n }) => {
      const row = await rowOf(n)
      if (!row) return
      const to = (await namedIn(row.parsed_text)).filter((id) => id !== row.reply_person)
      const under = { kind: row.object_kind, n: row.object_n }
      await notices.current?.tell({
        kind: 'comment.mentioned',
        to,
        actorId: row.person_id,
        key: `${n}`,
        object: { kind: 'comment', n },
        under,
      })
    },
    { name: 'notices.changed', whileOff: 'skip' },
  )
}
