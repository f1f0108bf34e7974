import type { ServerContext } from '@stoa/sdk/server'
import { plainText } from '@stoa/sdk/server'
import type { Commentable } from '../../comments/shared/api.ts'
import type { SearchDocument, SearchSource } from '../../search/shared/api.ts'
import type { Votable } from '../../votes/shared/api.ts'
import type { Posts } from '../shared/api.ts'
import { groupPosts } from './store/groups.ts'
import type { PostStore } from './store/post-store.ts'
import { facts, postRows } from './store/rows.ts'
import type { Tables } from './store/tables.ts'
import { isListed, isLive, mayView } from './store/visibility.ts'
import type { createPublishing } from './writing/publish.ts'

interface ServiceNeeds {
  ctx: ServerContext<Tables>
  store: PostStore
  publishing: ReturnType<typeof createPublishing>
}

export function createPosts({ ctx, store, publishing }: ServiceNeeds): Posts {
  const find: Posts['find'] = async (n) => {
    const row = await store.find(n)
    return row && facts(row, ctx.ids.encode('experience', n))
  }
  return {
    find,
    mayView,
    answered: (n, { delta, answer, personId, at }) =>
      store.change(n, (row) => {
        const answer_count = Math.max(0, row.answer_count + delta)
        if (delta > 0)
          return { answer_count, last_answer: answer, answerer_id: personId, answered_at: at, active_at: Math.max(row.active_at, at) }
        if (row.last_answer !== answer) return { answer_count }
        return { answer_count, last_answer: 0, answerer_id: 0, answered_at: 0, active_at: Math.max(row.created_at, row.edited_at) }
      }),
    accept: (n, answer) => store.change(n, { accepted_answer: answer }),
    group: async (n, kind, groups) => {
      // The transaction that the caller has open.
      await groupPosts(ctx.db.query, ctx.db.dialect, kind, [{ n, groups }])
    },
    regroup: (kind, posts) =>
      ctx.db.write(async (tx) => {
        if (await groupPosts(tx, ctx.db.dialect, kind, posts)) await store.count(0, 0)
      }),
    answerVotes: (n, delta) => store.change(n, (row) => ({ answer_votes: row.answer_votes + delta })),
    publish: async (draft, author, otherFields) => {
      const n = await publishing.create(draft, author, otherFields)
      const post = await find(n)
      if (!post) throw new Error(`Post ${n} was stored and is not there`)
      return post
    },
  }
}

export function createCommentable({ ctx, store }: Pick<ServiceNeeds, 'ctx' | 'store'>): Commentable {
  return {
    kind: 'experience',
    async find(n, person) {
      const row = await store.find(n)
      if (!row || !mayView(person, { authorId: row.author_id, status: row.status })) return undefined
      return { authorId: row.author_id, experience: n, open: isLive(row.status), shown: isListed(row) }
    },
    async shown(ns) {
      const rows = await postRows(ctx.db.query, ns)
      return rows.filter(isListed).map(({ id }) => id)
    },
  }
}

/** Source of the rewards: behaviour reference 7.1. */
export function createVotable({ store }: Pick<ServiceNeeds, 'store'>): Votable {
  return {
    kind: 'experience',
    hasDown: true,
    listed: true,
    rewards: { up: 10, down: -2, downVoter: 0 },
    async find(n, person) {
      const row = await store.find(n)
      if (!row || !isLive(row.status) || !mayView(person, { authorId: row.author_id, status: row.status })) return undefined
      return { authorId: row.author_id }
    },
    addVotes: (n, delta) => store.change(n, (row) => ({ vote_count: row.vote_count + delta })),
  }
}

export function createSearchSource({ ctx }: Pick<ServiceNeeds, 'ctx'>): SearchSource {
  return {
    kind: 'experience',
    async page(after, limit) {
      const rows = await ctx.db.query
        .selectFrom('experiences__post')
        .select('id')
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map((row) => row.id)
    },
    async documents(ns) {
      if (ns.length === 0) return []
      const rows = await ctx.db.query
        .selectFrom('experiences__post')
        .innerJoin('experiences__body', 'post_id', 'id')
        .select([
          'id',
          'author_id',
          'title',
          'html',
          'vote_count',
          'answer_count',
          'view_count',
          'accepted_answer',
          'created_at',
          'active_at',
          'tier',
        ])
        .where('id', 'in', ns)
        .execute()
      return rows.map(
        (row): SearchDocument => ({
          kind: 'experience',
          n: row.id,
          authorId: row.author_id,
          title: row.title,
          text: plainText(row.html),
          tags: [],
          votes: row.vote_count,
          answers: row.answer_count,
          views: row.view_count,
          accepted: row.accepted_answer > 0,
          createdAt: row.created_at,
          activeAt: row.active_at,
          visible: row.tier > 0,
        }),
      )
    },
  }
}
