import { decodeId, encodeId, shortId } from '@stoa/sdk'
import { experiencePath, postKinds } from '../shared/api.ts'

/**
 * Where a page of a post belongs.
 * @param asked the parts of the path as they came: id of the post, what stands behind it (a title, or an answer under modes without titles), an answer
 * @param post with the id as the server writes it under this mode
 * @returns the answer that is meant, in the same form as the post's id, and the path
 */
export function canonicalPath(
  permalink: number,
  asked: { slugPermalink?: string | undefined; aid?: string | undefined },
  post: { id: string; url_title?: string },
): { path: string; answerId: string } {
  const isShort = decodeId(post.id) !== null && post.id === shortOf(postKinds.experience, post.id)
  // A title may look like an id.
  const second = asked.slugPermalink === post.url_title && permalink % 2 === 1 ? undefined : asked.slugPermalink
  const named = [asked.aid, second].find((part) => part !== undefined && decodeId(part)?.kind === postKinds.answer)
  const answerId = named === undefined ? '' : isShort ? shortOf(postKinds.answer, named) : longOf(postKinds.answer, named)
  return { path: experiencePath(permalink, post, answerId), answerId }
}
const shortOf = (kind: number, id: string): string => shortId(kind, decodeId(id)?.n ?? 0)
const longOf = (kind: number, id: string): string => encodeId(kind, decodeId(id)?.n ?? 0)
