import type { Posts } from '@stoa/plugin-experiences/api'
import { experiencePath } from '@stoa/plugin-experiences/api'
import type { Extensions, Person } from '@stoa/sdk'
import { baseErrors, valueIn } from '@stoa/sdk'
import type { ServerContext } from '@stoa/sdk/server'
import { meetup } from '../shared/api.ts'

interface Tables {
  meetups__meetup: { post_id: number; day: string; city: string }
  meetups__guest: { post_id: number; person_id: number }
}

const AT_ONCE = 100

/** @param at unix seconds */
export const dayOf = (at: number): string => new Date(at * 1000).toISOString().slice(0, 10)

/** A text as calendars have it. */
export const escaped = (text: string): string => text.replace(/[\\;,]/g, '\\$&').replace(/\s+/g, ' ')

export function createMeetups(ctx: ServerContext<Tables>, posts: Posts) {
  /** The number of a post that somebody may see. */
  async function postFor(person: Person | null, id: string): Promise<number | undefined> {
    const object = ctx.ids.decode(id)
    const post = object?.kind === 'experience' ? await posts.find(object.n) : undefined
    return post && posts.mayView(person, post) ? post.n : undefined
  }

  /** Meetups that are to come, in their order, some at a time. */
  async function* upcoming(): AsyncGenerator<{ post_id: number; day: string; city: string }> {
    let after = { day: dayOf(ctx.now()), post_id: 0 }
    for (;;) {
      const { day, post_id } = after
      const rows = await ctx.db.query
        .selectFrom('meetups__meetup')
        .selectAll()
        .where((eb) => eb.or([eb('day', '>', day), eb.and([eb('day', '=', day), eb('post_id', '>', post_id)])]))
        .orderBy('day')
        .orderBy('post_id')
        .limit(AT_ONCE)
        .execute()
      yield* rows
      const last = rows.at(-1)
      if (!last || rows.length < AT_ONCE) return
      after = last
    }
  }

  return {
    postFor,

    async mustSee(person: Person | null, id: string): Promise<number> {
      const n = await postFor(person, id)
      if (n === undefined) throw baseErrors.route_not_found({ method: 'GET', path: id })
      return n
    },

    /** In the transaction that stores the post. */
    async keep(n: number, extensions: Extensions | undefined): Promise<void> {
      const value = valueIn(meetup, extensions)
      await ctx.db.write(async (tx) => {
        await tx.deleteFrom('meetups__meetup').where('post_id', '=', n).execute()
        if (value) await tx.insertInto('meetups__meetup').values({ post_id: n, day: value.day, city: value.city }).execute()
      })
    },

    async guests(n: number, person: Person | null): Promise<{ people: number; comes: boolean }> {
      const guests = ctx.db.query.selectFrom('meetups__guest').where('post_id', '=', n)
      const { people } = await guests.select((eb) => eb.fn.countAll<number>().as('people')).executeTakeFirstOrThrow()
      const own = person && (await guests.select('person_id').where('person_id', '=', person.id).executeTakeFirst())
      return { people, comes: Boolean(own) }
    },

    async come(n: number, person: Person, comes: boolean): Promise<void> {
      const guest = { post_id: n, person_id: person.id }
      await ctx.db.write(async (tx) => {
        if (comes) {
          await tx
            .insertInto('meetups__guest')
            .values(guest)
            .onConflict((conflict) => conflict.doNothing())
            .execute()
        } else await tx.deleteFrom('meetups__guest').where('post_id', '=', n).where('person_id', '=', person.id).execute()
      })
    },

    /** Path of the next meetup's post that somebody may see. */
    async next(person: Person | null): Promise<string | undefined> {
      for await (const { post_id } of upcoming()) {
        const post = await posts.find(post_id)
        if (post && posts.mayView(person, post)) return experiencePath(1, { id: post.id, url_title: post.urlTitle })
      }
      return undefined
    },

    async *calendar(person: Person | null): AsyncGenerator<string> {
      yield 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Stoa//meetups//EN\r\n'
      for await (const { post_id, day, city } of upcoming()) {
        const post = await posts.find(post_id)
        if (!post || !posts.mayView(person, post)) continue
        const date = day.replaceAll('-', '')
        yield `BEGIN:VEVENT\r\nUID:${post.id}\r\nDTSTAMP:${date}T000000Z\r\nDTSTART;VALUE=DATE:${date}\r\n`
        yield `SUMMARY:${escaped(post.title)}\r\nLOCATION:${escaped(city)}\r\nURL:${ctx.site.url}/experiences/${post.id}\r\nEND:VEVENT\r\n`
      }
      yield 'END:VCALENDAR\r\n'
    },
  }
}
