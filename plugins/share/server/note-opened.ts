import type { Person } from '@stoa/sdk'
import type { Needed, ServerContext, Wanted } from '@stoa/sdk/server'
import type { people } from '../../accounts/shared/api.ts'
import type { posts } from '../../experiences/shared/api.ts'
import { shareEvents } from '../shared/api.ts'

export interface Capabilities {
  ctx: ServerContext
  posts: Needed<typeof posts>
  people: Wanted<typeof people>
}

const DAY = 86_400

/** Tells whoever listens that a post was opened by somebody's link; the same visit again says nothing. */
export async function noteOpened(
  { ctx, posts, people }: Capabilities,
  visitor: Person | null,
  { id, username }: { id: string; username: string },
): Promise<void> {
  const decoded = ctx.ids.decode(id)
  const post = decoded?.kind === 'experience' ? await posts.find(decoded.n) : undefined
  const sharerId = await people.current?.idOf(username)
  if (!post || !posts.mayView(visitor, post) || sharerId === undefined || sharerId === visitor?.id) return
  const who = visitor ? `${visitor.id}` : `on ${Math.floor(ctx.now() / DAY)}`
  const key = `${post.n} ${sharerId} ${who}`
  await ctx.emit(shareEvents.opened, { experience: post.n, sharerId, visitorId: visitor?.id ?? 0 }, { key })
}
