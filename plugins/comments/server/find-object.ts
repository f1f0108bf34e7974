import type { Person } from '@stoa/sdk'
import type { Commentable } from '../shared/api.ts'
import { commentErrors } from '../shared/api.ts'
import type { Capabilities } from './capabilities.ts'

const ownerOf = ({ objects }: Capabilities, kind: string): Commentable | undefined =>
  objects.current.find(({ service }) => service.kind === kind)?.service

/** Tells the owner of an object how many comments came or went; in the caller's transaction. */
export async function countComments(capabilities: Capabilities, kind: string, n: number, delta: number): Promise<void> {
  await ownerOf(capabilities, kind)?.count?.(n, delta)
}

/** Holds an object until the transaction ends. Before its comments: whoever hides it does so in this order, and nobody waits for the other. */
export async function holdObject(capabilities: Capabilities, kind: string, n: number): Promise<void> {
  await ownerOf(capabilities, kind)?.hold?.(n)
}

export interface CommentedObject {
  kind: string
  n: number
  authorId: number
  experience: number
  /** New comments are taken. */
  open: boolean
  /** Everybody can see it. */
  shown?: boolean
  /** Long id of what has its page; default its own. */
  page?: string
}

/** What a person may see and comment on, asked of the plugin that owns its kind. Undefined also while that plugin is off. */
export async function findObject(
  capabilities: Capabilities,
  kind: string,
  n: number,
  person: Person | null,
): Promise<CommentedObject | undefined> {
  const found = await ownerOf(capabilities, kind)?.find(n, person)
  return found && { kind, n, ...found }
}

/** The same by public id. @throws `error.object.not_found` */
export async function requireObject(capabilities: Capabilities, id: string, person: Person | null): Promise<CommentedObject> {
  const decoded = capabilities.ctx.ids.decode(id)
  const found = decoded && (await findObject(capabilities, decoded.kind, decoded.n, person))
  if (!found) throw commentErrors.object_not_found({ id })
  return found
}
