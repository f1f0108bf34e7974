import type { Person } from '@stoa/sdk'
import type { ServerContext, Wanted } from '@stoa/sdk/server'
import type { Votable, votable } from '../shared/api.ts'
import { voteErrors } from '../shared/api.ts'

interface Sources {
  ctx: Pick<ServerContext, 'ids'>
  objects: Wanted<typeof votable>
}

/** What is voted on: its kind's owner, number and author. */
export interface Target {
  owner: Votable
  n: number
  authorId: number
  /** Long public id. */
  objectId: string
}

/** @throws `not_found` for what does not exist, is not for this voter's eyes or belongs to a plugin that is off */
export async function findTarget({ ctx, objects }: Sources, voter: Person, id: string): Promise<Target> {
  const decoded = ctx.ids.decode(id)
  const owner = objects.current.find(({ service }) => service.kind === decoded?.kind)?.service
  const found = decoded && (await owner?.find(decoded.n, voter))
  if (!decoded || !owner || !found) throw voteErrors.not_found({ id })
  return { owner, n: decoded.n, authorId: found.authorId, objectId: ctx.ids.encode(decoded.kind, decoded.n) }
}
