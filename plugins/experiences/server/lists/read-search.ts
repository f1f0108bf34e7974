import type { ReadContext } from '@stoa/sdk/server'
import { excerptAround } from '@stoa/sdk/server'
import { nobody, personCards } from '../../../accounts/shared/api.ts'
import type { SearchResult } from '../../../search/shared/api.ts'
import { postStatusWord } from '../../shared/api.ts'
import { postIds } from '../store/public-id.ts'
import type { Tables } from '../store/tables.ts'

/** Fills search results that are experiences; a post that left the lists since it was indexed stays null and is dropped by search. */
export async function fillSearchResults(ctx: ReadContext<Tables>, results: SearchResult[]): Promise<void> {
  const own = results.filter((result) => result.kind === 'experience')
  if (own.length === 0) return
  const rows = await ctx.db
    .selectFrom('experiences__post')
    .innerJoin('experiences__body', 'post_id', 'id')
    .select(['id', 'author_id', 'status', 'created_at', 'vote_count', 'answer_count', 'accepted_answer', 'title', 'url_title', 'html'])
    .where(
      'id',
      'in',
      own.map((result) => result.n),
    )
    .where('tier', '>=', 1)
    .execute()
  const byNumber = new Map(rows.map((row) => [row.id, row]))
  const cards = await ctx.call(personCards, { ids: [...new Set(rows.map((row) => row.author_id))] })
  const toId = await postIds(ctx)
  for (const result of own) {
    const row = byNumber.get(result.n)
    if (!row) continue
    const { id, username, rank, display_name, status } = cards[row.author_id] ?? nobody(row.author_id)
    result.view = {
      object_type: 'experience',
      object: {
        id: toId(row.id),
        experience_id: toId(row.id),
        title: row.title,
        url_title: row.url_title,
        excerpt: excerptAround(row.html, result.words),
        created_at: row.created_at,
        vote_count: row.vote_count,
        accepted: row.accepted_answer > 0,
        answer_count: row.answer_count,
        user_info: { id, username, rank, display_name, status },
        tags: [],
        status: postStatusWord[row.status] ?? '',
      },
    }
  }
}
