import type { ServerContext, Wanted } from '@stoa/sdk/server'
import { experienceEvents } from '../../experiences/shared/api.ts'
import type { follows } from '../../follows/shared/api.ts'
import type { notices } from '../../notifications/shared/api.ts'
import { tagBySlug, tagsOf } from '../shared/api.ts'

interface Wants {
  follows: Wanted<typeof follows>
  inbox: Wanted<typeof notices>
}

/** Followers who are told at once. */
const AT_ONCE = 200
/** New posts whose followers are looked up together. */
const POSTS_AT_ONCE = 20

/** Tells who follows a tag, and asked for it, of new posts that have it. */
export function tellOfNewPosts(ctx: ServerContext, { follows, inbox }: Wants): void {
  ctx.on(
    experienceEvents.created,
    async (posts) => {
      if (!inbox.current || !follows.current) return
      const tags = await ctx.read(tagsOf, { experiences: posts.map(({ n }) => n) })
      const tagged = posts.flatMap((post) => (tags[post.n] ?? []).map(({ slug_name }) => ({ ...post, slug: slug_name })))
      for (const [slug, some] of Map.groupBy(tagged, (post) => post.slug)) {
        const tag = await ctx.read(tagBySlug, { slug })
        for (let after = 0; tag; ) {
          const to = (await follows.current?.followersOf({ kind: 'tag', n: tag.n }, { after, limit: AT_ONCE })) ?? []
          for (const { n, authorId } of some)
            await inbox.current?.tell({ kind: 'tag.published', to, actorId: authorId, key: `${n}`, object: { kind: 'experience', n } })
          if (to.length < AT_ONCE) break
          after = to.at(-1) as number
        }
      }
    },
    { name: 'notices', atOnce: POSTS_AT_ONCE },
  )
}
