import { encodeId } from '@stoa/sdk'
import type { Ids, ReadContext } from '@stoa/sdk/server'
import { publicIds } from '../../../site/shared/api.ts'
import { postKinds } from '../../shared/api.ts'

/** Writes public ids of posts as the site's permalink wants them. */
export async function postIds(ctx: ReadContext): Promise<(n: number) => string> {
  const toId = await publicIds(ctx)
  return (n) => toId('experience', n)
}

/** Long id of an answer; `"0"` for none, as clients compare these two as numbers. Stays the same while the plugin that owns answers is off. */
export const answerId = (n: number): string => (n === 0 ? '0' : encodeId(postKinds.answer, n))

/** Running number of an experience id in its long or short form; undefined for anything else. */
export function postNumber(ids: Ids, text: string | undefined): number | undefined {
  const decoded = text ? ids.decode(text) : null
  return decoded?.kind === 'experience' ? decoded.n : undefined
}
