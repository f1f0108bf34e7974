import type { Page } from '@stoa/sdk'
import { read } from '@stoa/sdk'
import type { ReadContext, Static } from '@stoa/sdk/server'
import type { ExperienceListItem } from '../../experiences/shared/api.ts'
import { experienceFilter, experienceSelection } from '../../experiences/shared/api.ts'
import { followedNumbers } from '../../follows/shared/api.ts'
import type * as schemas from '../shared/schemas.ts'

type Query = Static<typeof schemas.page.query>

/** What was followed last counts; beyond this many it would only cost. */
const MOST_TAGS = 200
const MOST_POSTS = 500

export const recommended = read<Query, Page<ExperienceListItem>>('recommendations.page')

/**
 * `experience/recommend/page`: open posts that the person who asks follows, then those with a tag that they follow, without their own and those they
 * have answered; in each part pinned ones first, then the newest. Nothing for who follows nothing: clients show another list then.
 */
export async function recommendedPage(ctx: ReadContext, { page, page_size }: Query): Promise<Page<ExperienceListItem>> {
  const me = ctx.person?.id ?? 0
  const [tags, posts] = await Promise.all([
    ctx.read(followedNumbers, { kind: 'tag', limit: MOST_TAGS }, { otherwise: [] }),
    ctx.read(followedNumbers, { kind: 'experience', limit: MOST_POSTS }, { otherwise: [] }),
  ])
  if (tags.length + posts.length === 0) return { count: 0, list: [] }
  const among = tags.length === 0 ? [] : await ctx.filters(experienceFilter, { tags })
  const except = await ctx.filters(experienceFilter, { answeredBy: me })
  return ctx.read(experienceSelection, { first: posts, among, except, notBy: me, key: `recommended:${me}:${tags}`, page, page_size })
}
