import { mentionedIn } from '../../accounts/shared/api.ts'
import { answerEvents } from '../shared/api.ts'
import type { Capabilities } from './capabilities.ts'
import { findAnswer } from './rows.ts'

/** Followers who are told at once. */
const AT_ONCE = 200

/** Tells people what happened to answers that they wrote, to posts that they wrote or follow, and where they are named. */
export function tellOfAnswers({ ctx, posts, people, follows, notices }: Capabilities): void {
  const mentioned = async (n: number, actorId: number, but: number): Promise<void> => {
    const text = await ctx.db.query.selectFrom('answers__text').select('html').where('answer_id', '=', n).executeTakeFirst()
    const found = await Promise.all(mentionedIn(text?.html ?? '').map((name) => people.idOf(name)))
    const to = found.filter((id) => id !== undefined && id !== but) as number[]
    await notices.current?.tell({ kind: 'answer.mentioned', to, actorId, key: `${n}`, object: { kind: 'answer', n } })
  }

  /** Tells who follows the post, but not those who are told otherwise. */
  const followers = async (kind: string, act: { n: number; experience: number; actorId: number; key: string }, but: number[]) => {
    const post = { kind: 'experience', n: act.experience }
    for (let after = 0; ; ) {
      const ids = (await follows.current?.followersOf(post, { after, limit: AT_ONCE })) ?? []
      const to = ids.filter((id) => !but.includes(id))
      const { actorId, key, n } = act
      await notices.current?.tell({ kind, to, actorId, key, object: { kind: 'answer', n }, under: post })
      if (ids.length < AT_ONCE) return
      after = ids.at(-1) as number
    }
  }

  ctx.on(
    answerEvents.created,
    async ({ n, experience, authorId }) => {
      const post = await posts.find(experience)
      if (!post || !notices.current) return
      const act = { n, experience, actorId: authorId, key: `${n}` }
      const notice = { actorId: authorId, key: act.key, object: { kind: 'answer', n }, under: { kind: 'experience', n: experience } }
      await notices.current.tell({ ...notice, kind: 'answer.created', to: [post.authorId] })
      await followers('answer.created_followed', act, [post.authorId])
      await mentioned(n, authorId, post.authorId)
    },
    { name: 'notices.created' },
  )

  ctx.on(
    answerEvents.edited,
    async ({ n, experience, editorId, version }) => {
      const row = await findAnswer(ctx.db.query, n)
      if (!row) return
      const act = { n, experience, actorId: editorId, key: `${n} ${version}` }
      await notices.current?.tell({
        kind: 'answer.edited',
        to: [row.person_id],
        actorId: editorId,
        key: act.key,
        object: { kind: 'answer', n },
      })
      await followers('answer.edited_followed', act, [row.person_id])
      await mentioned(n, editorId, 0)
    },
    { name: 'notices.edited' },
  )

  ctx.on(
    answerEvents.accepted,
    async ({ n, experience, byId }, { id }) => {
      const row = await findAnswer(ctx.db.query, n)
      if (!row) return
      const act = { n, experience, actorId: byId, key: `${id}` }
      await notices.current?.tell({
        kind: 'answer.accepted',
        to: [row.person_id],
        actorId: byId,
        key: act.key,
        object: { kind: 'answer', n },
      })
      await followers('answer.accepted_followed', act, [row.person_id])
    },
    { name: 'notices.accepted' },
  )

  ctx.on(
    answerEvents.acted,
    async ({ n, act, personId, byStaff, at }) => {
      // What the site itself does with a text, it says otherwise.
      const row = byStaff && personId > 0 && act === 'deleted' ? await findAnswer(ctx.db.query, n) : undefined
      if (!row) return
      const notice = { to: [row.person_id], actorId: personId, key: `${n} ${at}`, object: { kind: 'answer', n } }
      await notices.current?.tell({ ...notice, kind: 'answer.deleted' })
    },
    { name: 'notices.acted' },
  )
}
