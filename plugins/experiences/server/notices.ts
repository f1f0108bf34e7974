import type { Needed, ServerContext, Wanted } from '@stoa/sdk/server'
import type { people } from '../../accounts/shared/api.ts'
import { mentionedIn } from '../../accounts/shared/api.ts'
import type { follows } from '../../follows/shared/api.ts'
import type { notices } from '../../notifications/shared/api.ts'
import { experienceEvents } from '../shared/api.ts'
import type { PostStore } from './store/post-store.ts'
import type { Tables } from './store/tables.ts'

interface Needs {
  ctx: ServerContext<Tables>
  store: PostStore
  people: Needed<typeof people>
  follows: Wanted<typeof follows>
  notices: Wanted<typeof notices>
}

/** Followers who are told at once. */
const AT_ONCE = 200
/** New posts that are looked through together: under load a look costs the same for many. */
const POSTS_AT_ONCE = 20

/** Tells people what happened to posts that they wrote, follow or are named in. */
export function tellOfPosts({ ctx, store, people, follows, notices }: Needs): void {
  const mentioned = async (written: { n: number; actorId: number }[]): Promise<void> => {
    const ns = written.map(({ n }) => n)
    const bodies = await ctx.db.query.selectFrom('experiences__body').select(['post_id', 'html']).where('post_id', 'in', ns).execute()
    const html = new Map(bodies.map((body) => [body.post_id, body.html]))
    for (const { n, actorId } of written) {
      const found = await Promise.all(mentionedIn(html.get(n) ?? '').map((name) => people.idOf(name)))
      const to = found.filter((id) => id !== undefined)
      // Once for good: who is named in a text is not told again when it is changed.
      await notices.current?.tell({ kind: 'experience.mentioned', to, actorId, key: `${n}`, object: { kind: 'experience', n } })
    }
  }

  ctx.on(
    experienceEvents.created,
    async (posts) => {
      await mentioned(posts.map(({ n, authorId }) => ({ n, actorId: authorId })))
      for (const { n, authorId } of posts) {
        const object = { kind: 'experience', n }
        await notices.current?.announce({ kind: 'experience.published', actorId: authorId, key: `${n}`, object })
      }
    },
    { name: 'notices.created', atOnce: POSTS_AT_ONCE },
  )

  ctx.on(
    experienceEvents.edited,
    async ({ n, editorId, version }) => {
      const row = await store.find(n)
      if (!row || !notices.current) return
      const object = { kind: 'experience', n }
      const notice = { actorId: editorId, key: `${n} ${version}`, object }
      await notices.current.tell({ ...notice, kind: 'experience.edited', to: [row.author_id] })
      for (let after = 0; ; ) {
        const ids = (await follows.current?.followersOf(object, { after, limit: AT_ONCE })) ?? []
        const to = ids.filter((id) => id !== row.author_id)
        await notices.current?.tell({ ...notice, kind: 'experience.edited_followed', to })
        if (ids.length < AT_ONCE) break
        after = ids.at(-1) as number
      }
      await mentioned([{ n, actorId: editorId }])
    },
    { name: 'notices.edited' },
  )

  ctx.on(
    experienceEvents.acted,
    async ({ n, act, personId, byStaff, at }) => {
      // What the site itself does with a text, it says otherwise.
      if (!byStaff || personId === 0 || (act !== 'closed' && act !== 'deleted')) return
      const row = await store.find(n)
      if (!row) return
      const notice = { to: [row.author_id], actorId: personId, key: `${n} ${at}`, object: { kind: 'experience', n } }
      await notices.current?.tell({ ...notice, kind: `experience.${act}` })
    },
    { name: 'notices.acted' },
  )
}
