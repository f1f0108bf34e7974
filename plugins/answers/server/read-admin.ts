import { rowsOfPage } from '@stoa/sdk'
import type { ReadContext } from '@stoa/sdk/server'
import { nobody, personCards } from '../../accounts/shared/api.ts'
import { experienceCards } from '../../experiences/shared/api.ts'
import { publicIds } from './public-ids.ts'
import type { AdminPage, AdminQuery } from './read-tokens.ts'
import { answerNumber, experienceNumber } from './rows.ts'
import type { Tables } from './tables.ts'
import { answerColumns, answerStatus } from './tables.ts'

/** Admin's `answer/page`, newest first; without a status those that stand. */
export async function adminPage(ctx: ReadContext<Tables>, query: AdminQuery): Promise<AdminPage> {
  const status = answerStatus[query.status === 'deleted' || query.status === 'pending' ? query.status : 'available']
  let matching = ctx.db.selectFrom('answers__answer').where('status', '=', status)
  if (query.experience_id) matching = matching.where('experience', '=', experienceNumber(ctx.ids, query.experience_id) ?? 0)
  const words = query.query?.trim() ?? ''
  if (words.startsWith('answer:')) matching = matching.where('id', '=', answerNumber(ctx.ids, words.slice('answer:'.length).trim()) ?? 0)
  else if (words)
    matching = matching.where('id', 'in', (eb) =>
      eb
        .selectFrom('answers__text')
        .select('answer_id')
        .where('content', 'like', `%${words.replace(/[%_]/g, ' ')}%`),
    )
  const { count } = await matching.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const { size, offset } = rowsOfPage(query)
  const rows = await matching.select(answerColumns).orderBy('id', 'desc').limit(size).offset(offset).execute()
  const [ids, excerpts, people, posts] = await Promise.all([
    publicIds(ctx),
    excerptsOf(
      ctx,
      rows.map(({ id }) => id),
    ),
    ctx.call(personCards, { ids: [...new Set(rows.map((row) => row.person_id))] }),
    ctx.call(experienceCards, { ns: [...new Set(rows.map((row) => row.experience))] }),
  ])
  const list = rows.map((row) => ({
    id: ids.answer(row.id),
    experience_id: ids.experience(row.experience),
    description: excerpts.get(row.id) ?? '',
    create_time: row.created_at,
    update_time: row.updated_at,
    accepted: row.accepted ? 2 : 1,
    user_info: people[row.person_id] ?? nobody(row.person_id),
    vote_count: row.vote_count,
    experience_info: { title: posts[row.experience]?.title ?? '', url_title: posts[row.experience]?.urlTitle ?? '' },
  }))
  return { count: Number(count), list }
}

async function excerptsOf(ctx: ReadContext<Tables>, ids: number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await ctx.db.selectFrom('answers__text').select(['answer_id', 'excerpt']).where('answer_id', 'in', ids).execute()
  return new Map(rows.map(({ answer_id, excerpt }) => [answer_id, excerpt]))
}
