import type { Generated, Kysely, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { PostFacts } from '../../../../plugins/experiences/shared/api.ts'
import { postStatus } from '../../../../plugins/experiences/shared/api.ts'

interface QuestionTable {
  id: Generated<number>
  author_id: number
  title: string
  content: string
  html: string
  status: Generated<number>
  answers: Generated<number>
  votes: Generated<number>
  accepted: Generated<number>
  last_answer: Generated<number>
  created_at: number
  active_at: number
}
export interface Tables {
  questions__question: QuestionTable
}
export type Question = Selectable<QuestionTable>

export const isListed = ({ status }: Pick<Question, 'status'>): boolean => status === postStatus.available

export async function questionsOf(db: Kysely<Tables>, ns: readonly number[]): Promise<Question[]> {
  if (ns.length === 0) return []
  return db.selectFrom('questions__question').selectAll().where('id', 'in', ns).execute()
}

/** Numbers above one, for a rebuild of an index. */
export async function numbersAfter(db: Kysely<Tables>, after: number, limit: number): Promise<number[]> {
  const rows = await db.selectFrom('questions__question').select('id').where('id', '>', after).orderBy('id').limit(limit).execute()
  return rows.map(({ id }) => id)
}

export function add(db: Kysely<Tables>, n: number, column: 'answers' | 'votes', delta: number) {
  return db
    .updateTable('questions__question')
    .set({ [column]: sql`${sql.ref(column)} + ${delta}` })
    .where('id', '=', n)
    .execute()
}

export const factsOf = (row: Question, id: string): PostFacts => ({
  n: row.id,
  id,
  authorId: row.author_id,
  title: row.title,
  urlTitle: '',
  status: row.status,
  show: 1,
  answerCount: row.answers,
  voteCount: row.votes,
  acceptedAnswer: row.accepted,
  createdAt: row.created_at,
})
