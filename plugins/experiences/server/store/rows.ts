import { statement } from '@stoa/sdk/server'
import type { Kysely, Selectable } from 'kysely'
import type { PostFacts } from '../../shared/api.ts'
import type { PostTable, Tables } from './tables.ts'

/** What lists and details need of a post, without its text. */
export const postColumns = [
  'id',
  'author_id',
  'status',
  'show',
  'pin',
  'created_at',
  'active_at',
  'edited_at',
  'editor_id',
  'answered_at',
  'answerer_id',
  'last_answer',
  'accepted_answer',
  'vote_count',
  'answer_count',
  'answer_votes',
  'view_count',
  'collection_count',
  'follow_count',
  'hot_score',
  'title',
  'url_title',
  'excerpt',
] as const satisfies (keyof PostTable)[]

export type PostRow = Pick<Selectable<PostTable>, (typeof postColumns)[number]>

const byNumbers = statement((db: Kysely<Tables>, { ns }: { ns: readonly number[] }) =>
  db.selectFrom('experiences__post').select(postColumns).where('id', 'in', ns),
)

export async function postRows(db: Kysely<Tables>, ns: readonly number[]): Promise<PostRow[]> {
  if (ns.length === 0) return []
  return byNumbers(db, { ns })
}

export async function postRow(db: Kysely<Tables>, n: number): Promise<PostRow | undefined> {
  const [row] = await byNumbers(db, { ns: [n] })
  return row
}

/** What says of a post how to name it, and who may see it: a third of its columns, of which most lists have to read all. */
const titleColumns = ['id', 'author_id', 'status', 'show', 'answer_count', 'title', 'url_title'] as const satisfies (keyof PostRow)[]

export type PostTitle = Pick<PostRow, (typeof titleColumns)[number]>

const titlesByNumbers = statement((db: Kysely<Tables>, { ns }: { ns: readonly number[] }) =>
  db.selectFrom('experiences__post').select(titleColumns).where('id', 'in', ns),
)

export const postTitles = async (db: Kysely<Tables>, ns: readonly number[]): Promise<PostTitle[]> =>
  ns.length === 0 ? [] : titlesByNumbers(db, { ns })

export function facts(row: PostRow, id: string): PostFacts {
  return {
    n: row.id,
    id,
    authorId: row.author_id,
    title: row.title,
    urlTitle: row.url_title,
    status: row.status,
    show: row.show,
    answerCount: row.answer_count,
    voteCount: row.vote_count,
    acceptedAnswer: row.accepted_answer,
    createdAt: row.created_at,
  }
}
