import type { Person } from '@stoa/sdk'
import type { ServerContext, Wanted } from '@stoa/sdk/server'
import type { staffLog } from '../../../audit/shared/api.ts'
import type { PostAct } from '../../shared/api.ts'
import { experiencePath } from '../../shared/light.ts'
import type { PostRow } from '../store/rows.ts'

const BY_NUMBER = 2

/** Puts down who removed so many posts and will not get them back; in the caller's transaction. */
export async function logPurge(ctx: ServerContext, log: Wanted<typeof staffLog>, count: number): Promise<void> {
  const object = { kind: 'experience', id: '', label: String(count) }
  await log.current?.record({ actorId: ctx.host.request()?.person?.id ?? 0, action: 'experience.purged', object })
}

/** Puts down what staff did to somebody else's post, or to where posts stand in lists; in the caller's transaction. */
export async function logAct(
  ctx: ServerContext,
  log: Wanted<typeof staffLog>,
  { person, post, act, note }: { person: Person | null; post: PostRow; act: PostAct; note?: string | undefined },
): Promise<void> {
  const isListing = act === 'pin' || act === 'unpin' || act === 'hide' || act === 'show'
  if (!log.current || !person || (person.id === post.author_id && !isListing)) return
  const id = ctx.ids.encode('experience', post.id)
  const object = { kind: 'experience', id, label: post.title, path: experiencePath(BY_NUMBER, { id }) }
  await log.current.record({ actorId: person.id, action: `experience.${act}`, object, ...(note && { note }) })
}
