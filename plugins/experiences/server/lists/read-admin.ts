import { rowsOfPage } from '@stoa/sdk'
import type { ReadContext } from '@stoa/sdk/server'
import { sql } from 'kysely'
import { nobody, personCards } from '../../../accounts/shared/api.ts'
import { postStatus } from '../../shared/api.ts'
import type { AdminPage, AdminQuery } from '../read-tokens.ts'
import { answerId, postIds, postNumber } from '../store/public-id.ts'
import { postColumns } from '../store/rows.ts'
import type { Tables } from '../store/tables.ts'

const statusOf = { normal: postStatus.available, closed: postStatus.closed, deleted: postStatus.deleted, pending: postStatus.pending }

/** The admin's list of posts, unlisted ones included. */
export async function adminPage(ctx: ReadContext<Tables>, query: AdminQuery): Promise<AdminPage> {
  const id = /^experience:\s*(\S+)$/.exec(query.query?.trim() ?? '')?.[1]
  const words = id
    ? ''
    : (query.query ?? '')
        .trim()
        .toLowerCase()
        .replace(/[\\%_]/g, '\\$&')
  const base = () => {
    const posts = ctx.db.selectFrom('experiences__post').where('status', '=', statusOf[query.status ?? 'normal'])
    if (id) return posts.where('id', '=', postNumber(ctx.ids, id) ?? 0)
    return words ? posts.where(sql<boolean>`lower(title) like ${`%${words}%`} escape '\\'`) : posts
  }
  const { size, offset } = rowsOfPage(query)
  const { count } = await base()
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const rows = await base().select(postColumns).orderBy('created_at', 'desc').orderBy('id', 'desc').limit(size).offset(offset).execute()
  const cards = await ctx.call(personCards, { ids: [...new Set(rows.map((row) => row.author_id))] })
  const toId = await postIds(ctx)
  const list = rows.map((row) => ({
    id: toId(row.id),
    title: row.title,
    url_title: row.url_title,
    vote_count: row.vote_count,
    show: row.show,
    pin: row.pin,
    status: row.status,
    answer_count: row.answer_count,
    accepted_answer_id: answerId(row.accepted_answer),
    create_time: row.created_at,
    update_time: row.active_at,
    edit_time: row.edited_at || row.created_at,
    user_info: cards[row.author_id] ?? nobody(row.author_id),
  }))
  return { count: Number(count), list }
}
