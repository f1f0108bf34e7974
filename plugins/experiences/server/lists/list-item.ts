import type { Decorated } from '@stoa/sdk'
import type { ReadContext } from '@stoa/sdk/server'
import type { PersonCard } from '../../../accounts/shared/api.ts'
import { nobody, personCards } from '../../../accounts/shared/api.ts'
import type { ExperienceListItem } from '../../shared/api.ts'
import { experienceList } from '../../shared/api.ts'
import { readStates } from '../store/opened.ts'
import { answerId, postIds } from '../store/public-id.ts'
import type { PostRow } from '../store/rows.ts'

type Act = { type: 'asked' | 'modified' | 'answered'; at: number; by: number }

/** The latest of asking, editing and answering. */
export function latestAct(row: PostRow): Act {
  const acts: Act[] = [
    { type: 'asked', at: row.created_at, by: row.author_id },
    { type: 'modified', at: row.edited_at, by: row.editor_id },
    { type: 'answered', at: row.answered_at, by: row.answerer_id },
  ]
  return acts.reduce((latest, act) => (act.at > 0 && act.by > 0 && act.at > latest.at ? act : latest))
}

const operator = ({ id, username, rank, display_name, status, avatar }: PersonCard) => ({
  id,
  username,
  rank,
  display_name,
  status,
  avatar,
})

/**
 * Rows as items of a public list, with what other plugins fill in. Three statements and those of the decorators, however many rows.
 * @param showsLatest name the latest act (order `active`) instead of the asking
 */
export async function listItems(ctx: ReadContext, rows: readonly PostRow[], showsLatest = false): Promise<ExperienceListItem[]> {
  if (rows.length === 0) return []
  const acts = rows.map((row): Act => (showsLatest ? latestAct(row) : { type: 'asked', at: row.created_at, by: row.author_id }))
  const toId = await postIds(ctx)
  const cards = await ctx.call(personCards, { ids: [...new Set(acts.map((act) => act.by))] })
  const states = await readStates(ctx, rows)
  const items = rows.map((row, index): Decorated<ExperienceListItem> => {
    const act = acts[index] as Act
    const read_state = states.get(row.id)
    return {
      kind: 'experience',
      n: row.id,
      authorId: row.author_id,
      view: {
        id: toId(row.id),
        created_at: row.created_at,
        title: row.title,
        url_title: row.url_title,
        description: row.excerpt,
        pin: row.pin,
        show: row.show,
        status: row.status,
        tags: [],
        view_count: row.view_count,
        unique_view_count: 0,
        vote_count: row.vote_count,
        answer_count: row.answer_count,
        collection_count: row.collection_count,
        follow_count: row.follow_count,
        accepted_answer_id: answerId(row.accepted_answer),
        last_answer_id: answerId(row.last_answer),
        operated_at: act.at,
        operator: operator(cards[act.by] ?? nobody(act.by)),
        operation_type: act.type,
        ...(read_state && { read_state }),
      },
    }
  })
  await ctx.decorate(experienceList, items)
  return items.map((item) => item.view)
}
