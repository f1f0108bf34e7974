import type { ReadContext } from '@stoa/sdk/server'
import { peopleNamed } from '../../accounts/shared/api.ts'
import type { CompletionOption, SearchCompletion } from '../shared/api.ts'
import { searchCompletion } from '../shared/api.ts'

/** Of each kind; a list that somebody reads while typing. */
const MOST = 4

/** What others know by that name, then people; those are looked for on behalf of members only, as in every search for people. */
export async function completionsOf(ctx: ReadContext, { q }: { q: string }): Promise<CompletionOption[]> {
  const text = q.trim()
  if (text === '') return []
  const completion: SearchCompletion = { text, options: [] }
  await ctx.decorate(searchCompletion, [completion])
  const people = ctx.person ? await ctx.read(peopleNamed, { username: text.replace(/^@/, '') }, { otherwise: [] }) : []
  return [
    ...completion.options.slice(0, 2 * MOST),
    ...people.slice(0, MOST).map(({ username, display_name }) => ({
      query: `user:${username}`,
      name: display_name,
      path: `/users/${encodeURIComponent(username)}`,
    })),
  ]
}
