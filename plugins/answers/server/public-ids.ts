import type { ReadContext } from '@stoa/sdk/server'
import { publicIds as idsOfSite } from '../../site/shared/api.ts'

export interface PublicIds {
  experience(n: number): string
  answer(n: number): string
}

/** Writes public ids as the site's permalink wants them. */
export async function publicIds(ctx: ReadContext): Promise<PublicIds> {
  const write = await idsOfSite(ctx)
  return { experience: (n) => write('experience', n), answer: (n) => write('answer', n) }
}
