import type { people as peopleToken } from '@stoa/plugin-accounts/api'
import type { Person } from '@stoa/sdk'
import type { ServerContext, Wanted } from '@stoa/sdk/server'
import type { Generated } from 'kysely'

interface Tables {
  guestbook__entry: { id: Generated<number>; person_id: number; text: string; created_at: number }
}

/** An entry as it is sent: who signed, what, and when in unix seconds. */
export interface Entry {
  id: number
  name: string
  text: string
  created_at: number
}

const SHOWN = 50

export function createGuestbook(ctx: ServerContext<Tables>, people: Wanted<typeof peopleToken>) {
  return {
    /** Newest first, at most 50. */
    async list(): Promise<Entry[]> {
      const rows = await ctx.db.query
        .selectFrom('guestbook__entry')
        .select(['id', 'person_id', 'text', 'created_at'])
        .orderBy('id', 'desc')
        .limit(SHOWN)
        .execute()
      return Promise.all(
        rows.map(async ({ person_id, ...entry }) => ({ ...entry, name: (await people.current?.card(person_id))?.display_name ?? '' })),
      )
    },

    async sign(person: Person, text: string): Promise<void> {
      await ctx.host.limit('guestbook.sign', { key: person.id, max: 5, seconds: 600 })
      await ctx.db.write(async (tx) => {
        await tx.insertInto('guestbook__entry').values({ person_id: person.id, text, created_at: ctx.now() }).execute()
      })
    },
  }
}
