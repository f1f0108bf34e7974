import { read } from '@stoa/sdk'
import type { ReadContext } from '@stoa/sdk/server'
import { escapeHtml } from '@stoa/sdk/server'
import { answerCards } from '../../answers/shared/api.ts'
import type { ExperienceListItem } from '../../experiences/shared/api.ts'
import { experienceItems } from '../../experiences/shared/api.ts'
import type { SettingsGroups } from '../../site/shared/api.ts'
import { siteGroup } from '../../site/shared/api.ts'
import type { Tables } from './tables.ts'

export interface OwnVote {
  created_at: number
  object_id: string
  experience_id: string
  answer_id: string
  object_type: string
  title: string
  url_title: string
  content: string
  vote_type: string
}

interface Query {
  page: number
  page_size: number
}

export const ownVotes = read<Query, { count: number; list: OwnVote[] }>('votes.own')

/** `personal/vote/page`: own votes on posts, newest first; likes of comments are not listed by the protocol. */
export async function votesOfCaller(ctx: ReadContext<Tables>, { page, page_size }: Query): Promise<{ count: number; list: OwnVote[] }> {
  const own = ctx.db
    .selectFrom('votes__ballot')
    .where('voter_id', '=', ctx.person?.id ?? 0)
    .where('object_kind', 'in', ['experience', 'answer'])
  const size = Math.min(page_size, 100)
  const { count } = await own.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const rows = await own
    .select(['object_kind', 'object_n', 'direction', 'created_at'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  const numbers = (kind: string) => rows.filter((row) => row.object_kind === kind).map((row) => row.object_n)
  const answers = ctx.has(answerCards) ? await ctx.call(answerCards, { ns: numbers('answer') }) : {}
  const ns = [...new Set([...numbers('experience'), ...Object.values(answers).map((answer) => answer.experience)])]
  const items = ctx.has(experienceItems) ? await ctx.call(experienceItems, { ns }) : []
  const { permalink } = (await ctx.call(siteGroup, { group: 'seo' })) as SettingsGroups['seo']
  const toId = permalink === 3 || permalink === 4 ? ctx.ids.short : ctx.ids.encode
  const posts = new Map<string, ExperienceListItem>(items.map((item) => [item.id, item]))
  const list = rows.flatMap((row): OwnVote[] => {
    const answer = row.object_kind === 'answer' ? answers[row.object_n] : undefined
    if (row.object_kind === 'answer' && answer?.status !== 1) return []
    const experience_id = toId('experience', answer?.experience ?? row.object_n)
    const post = posts.get(experience_id)
    if (!post) return []
    return [
      {
        created_at: row.created_at,
        object_id: answer ? toId('answer', answer.n) : experience_id,
        experience_id,
        answer_id: answer ? toId('answer', answer.n) : '',
        object_type: row.object_kind,
        title: String(post.title),
        url_title: String(post.url_title),
        content: answer?.html ?? `<p>${escapeHtml(String(post.description))}</p>`,
        vote_type: ctx.text(row.direction > 0 ? 'vote_type.up' : 'vote_type.down'),
      },
    ]
  })
  return { count: Number(count), list }
}
