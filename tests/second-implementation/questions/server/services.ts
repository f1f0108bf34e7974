import type { ServerContext } from '@stoa/sdk/server'
import { plainText } from '@stoa/sdk/server'
import type { Commentable } from '../../../../plugins/comments/shared/api.ts'
import type { SearchSource } from '../../../../plugins/search/shared/api.ts'
import type { Votable } from '../../../../plugins/votes/shared/api.ts'
import type { Questions } from './questions.ts'
import type { Question, Tables } from './tables.ts'
import { isListed, numbersAfter, questionsOf } from './tables.ts'

const kind = 'experience'

export const commentableQuestions = ({ db }: ServerContext<Tables>, { find, posts }: Questions): Commentable => ({
  kind,
  async find(n, person) {
    const row = await find(n)
    if (!row || !posts.mayView(person, { authorId: row.author_id, status: row.status })) return undefined
    return { authorId: row.author_id, experience: n, open: isListed(row), shown: isListed(row) }
  },
  shown: async (ns) => (await questionsOf(db.query, ns)).filter(isListed).map(({ id }) => id),
})

export const votableQuestions = ({ find, vote }: Questions): Votable => ({
  kind,
  hasDown: true,
  listed: true,
  rewards: { up: 10, down: -2, downVoter: 0 },
  async find(n) {
    const row = await find(n)
    return row && isListed(row) ? { authorId: row.author_id } : undefined
  },
  addVotes: vote,
})

export const searchableQuestions = ({ db }: ServerContext<Tables>): SearchSource => ({
  kind,
  page: (after, limit) => numbersAfter(db.query, after, limit),
  documents: async (ns) => (await questionsOf(db.query, ns)).map(documentOf),
})

const documentOf = (row: Question) => ({
  kind,
  n: row.id,
  authorId: row.author_id,
  title: row.title,
  text: plainText(row.html),
  tags: [],
  votes: row.votes,
  answers: row.answers,
  views: 0,
  accepted: row.accepted > 0,
  createdAt: row.created_at,
  activeAt: row.active_at,
  visible: isListed(row),
})
