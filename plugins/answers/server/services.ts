import type { Person } from '@stoa/sdk'
import type { Commentable } from '../../comments/shared/api.ts'
import type { PostFacts } from '../../experiences/shared/api.ts'
import { experienceCards, isListed, isLive } from '../../experiences/shared/api.ts'
import type { SearchDocument, SearchSource } from '../../search/shared/api.ts'
import type { Votable } from '../../votes/shared/api.ts'
import type { Capabilities } from './capabilities.ts'
import { findAnswer, heldAnswer, maySee } from './rows.ts'
import type { AnswerRow } from './tables.ts'
import { answerColumns, answerStatus } from './tables.ts'
import { tellChanged } from './tell-changed.ts'

/** An answer and its experience, when the person may see both. */
export async function visible(
  { ctx, posts }: Capabilities,
  n: number,
  person: Person | null,
): Promise<{ row: AnswerRow; post: PostFacts } | undefined> {
  const row = await findAnswer(ctx.db.query, n)
  if (!row || !maySee(person, row)) return undefined
  const post = await posts.find(row.experience)
  return post && posts.mayView(person, post) ? { row, post } : undefined
}

/** Holds an answer and its post against other writers until the transaction ends. */
async function hold({ ctx, posts }: Capabilities, n: number): Promise<void> {
  await heldAnswer(posts, ctx.db.query, ctx.db.dialect, n)
}

/** Lets people comment on answers. */
export function commentableAnswers(capabilities: Capabilities): Commentable {
  const { ctx } = capabilities
  return {
    kind: 'answer',
    async find(n, person) {
      const found = await visible(capabilities, n, person)
      if (!found) return undefined
      const open = found.row.status === answerStatus.available && isLive(found.post)
      const page = ctx.ids.encode('experience', found.row.experience)
      return { authorId: found.row.person_id, experience: found.row.experience, page, open, shown: found.row.parent_listed === 1 && open }
    },
    async shown(ns) {
      const rows = await ctx.db.query
        .selectFrom('answers__answer')
        .select('id')
        .where('id', 'in', ns)
        .where('status', '=', answerStatus.available)
        .where('parent_listed', '=', 1)
        .execute()
      return rows.map(({ id }) => id)
    },
    hold: (n) => hold(capabilities, n),
    async count(n, delta) {
      await ctx.db.write((tx) =>
        tx
          .updateTable('answers__answer')
          .set((eb) => ({ comment_count: eb('comment_count', '+', delta) }))
          .where('id', '=', n)
          .execute(),
      )
    },
  }
}

/** Lets people vote on answers. */
export function votableAnswers(capabilities: Capabilities): Votable {
  const { ctx, posts } = capabilities
  return {
    kind: 'answer',
    hasDown: true,
    listed: true,
    rewards: { up: 10, down: -2, downVoter: -1 },
    async find(n, person) {
      const found = await visible(capabilities, n, person)
      const isOpen = found && found.row.status === answerStatus.available && isLive(found.post)
      return isOpen ? { authorId: found.row.person_id } : undefined
    },
    hold: (n) => hold(capabilities, n),
    async addVotes(n, delta) {
      await ctx.db.write(async (tx) => {
        const { experience } = await tx
          .updateTable('answers__answer')
          .set((eb) => ({ vote_count: eb('vote_count', '+', delta) }))
          .where('id', '=', n)
          .returning('experience')
          .executeTakeFirstOrThrow()
        await posts.answerVotes(experience, delta)
        await tellChanged(ctx, { n, experience })
      })
    },
  }
}

/** Hands answers to the search index. */
export function searchableAnswers({ ctx, markdown }: Capabilities): SearchSource {
  return {
    kind: 'answer',
    async page(after, limit) {
      const rows = await ctx.db.query
        .selectFrom('answers__answer')
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
        .selectFrom('answers__answer as a')
        .innerJoin('answers__text as t', 't.answer_id', 'a.id')
        .select([...answerColumns.map((column) => `a.${column}` as const), 't.html'])
        .where('a.id', 'in', ns)
        .execute()
      const parents = [...new Set(rows.map((row) => row.experience))]
      const posts = await ctx.read(experienceCards, { ns: parents })
      return rows.flatMap((row): SearchDocument[] => {
        const post = posts[row.experience]
        if (!post) return []
        return [
          {
            kind: 'answer',
            n: row.id,
            parent: { kind: 'experience', n: row.experience },
            authorId: row.person_id,
            title: post.title,
            text: markdown.excerpt(row.html, 100_000),
            tags: [],
            votes: row.vote_count,
            answers: -1,
            views: -1,
            accepted: row.accepted === 1,
            createdAt: row.created_at,
            activeAt: row.updated_at || row.created_at,
            visible: row.status === answerStatus.available && isListed(post),
          },
        ]
      })
    },
  }
}
