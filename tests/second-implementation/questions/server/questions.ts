import type { Person } from '@stoa/sdk'
import { baseErrors, isStaff } from '@stoa/sdk'
import type { Needed, ServerContext, Wanted } from '@stoa/sdk/server'
import { forUpdate, insertedId } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import type { threads } from '../../../../plugins/comments/shared/api.ts'
import type { PostDraft, PostFacts, Posts } from '../../../../plugins/experiences/shared/api.ts'
import { experienceEvents, experienceHooks, postStatus } from '../../../../plugins/experiences/shared/api.ts'
import { touched } from '../../../../plugins/search/shared/api.ts'
import type { permissions, rendering } from '../../../../plugins/site/shared/api.ts'
import type { Tables } from './tables.ts'
import { add, factsOf, isListed, questionsOf } from './tables.ts'

export interface Parts {
  ctx: ServerContext<Tables>
  permissions: Needed<typeof permissions>
  rendering: Needed<typeof rendering>
  threads: Wanted<typeof threads>
}

export type Questions = ReturnType<typeof createQuestions>

/** Everything that is done with questions; every change is told to whoever wants to know. */
export function createQuestions({ ctx, permissions, rendering, threads }: Parts) {
  const find = async (n: number) => (await questionsOf(ctx.db.query, [n]))[0]

  const tellChanged = async (n: number): Promise<void> => {
    await ctx.emit(experienceEvents.changed, { n })
    await ctx.emit(touched, { kind: 'experience', n })
  }
  const change = (n: number, columns: Partial<Record<'accepted' | 'last_answer' | 'status' | 'active_at', number>>) =>
    ctx.db.write(async (tx) => {
      await tx.updateTable('questions__question').set(columns).where('id', '=', n).execute()
      await tellChanged(n)
    })

  const posts: Posts = {
    async find(n): Promise<PostFacts | undefined> {
      const row = await find(n)
      return row && factsOf(row, ctx.ids.encode('experience', n))
    },
    hold: async (...ns) => {
      if (ns.length > 0)
        await ctx.db.query
          .selectFrom('questions__question')
          .select('id')
          .where('id', 'in', ns)
          .orderBy('id')
          .$call(forUpdate(ctx.db.dialect))
          .execute()
    },
    mayView: (person, { authorId, status }) => isListed({ status }) || isStaff(person) || person?.id === authorId,
    async answered(n, { delta, answer, at }) {
      await ctx.db.write((tx) => add(tx, n, 'answers', delta))
      await change(n, delta > 0 ? { last_answer: answer, active_at: at } : { last_answer: 0 })
    },
    accept: (n, accepted) => change(n, { accepted }),
    // Questions have no heat and no links between them, and lists that are narrowed ask the filter.
    answerVotes: (n) => tellChanged(n),
    link: async () => undefined,
    group: async () => undefined,
    regroup: async () => undefined,
    publish: async (draft, author, otherFields) => (await posts.prepare(draft, author, otherFields))(),
    async prepare(draft: PostDraft, author: Person, otherFields = {}) {
      await permissions.require(author, 'experience.add')
      const wrong = Object.entries({ ...(draft.title === '' && { title: 'validation.required' }), ...otherFields })
      if (wrong.length > 0)
        throw baseErrors.request_format_error(
          {},
          wrong.map(([error_field, error_msg]) => ({ error_field, error_msg })),
        )
      const checked = await ctx.run(experienceHooks.beforePublish, draft, author)
      const { title, content } = checked
      const html = await rendering.render(content)
      const storing = async (tx: Kysely<Tables>) => {
        const at = ctx.now()
        const row = { author_id: author.id, title, content, html, created_at: at, active_at: at }
        const n = await insertedId(tx, 'questions__question', row)
        await ctx.run(experienceHooks.stored, { n, draft: checked, authorId: author.id, created: true, listed: true })
        await ctx.emit(experienceEvents.created, { n, authorId: author.id })
        await ctx.emit(touched, { kind: 'experience', n })
        return (await posts.find(n)) as PostFacts
      }
      return () => ctx.db.write(storing)
    },
  }

  return {
    find,
    posts,
    vote: (n: number, delta: number) =>
      ctx.db.write(async (tx) => {
        await add(tx, n, 'votes', delta)
        await tellChanged(n)
      }),
    /** Takes a question out of the lists, or back in. */
    setListed: (n: number, listed: boolean) =>
      ctx.db.write(async () => {
        await change(n, { status: listed ? postStatus.available : postStatus.deleted })
        await ctx.run(experienceHooks.listingChanged, { n, listed })
        await threads.current?.show('experience', [n], listed)
      }),
  }
}
