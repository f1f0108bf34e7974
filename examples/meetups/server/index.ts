import { experienceHooks, postBag, posts } from '@stoa/plugin-experiences/api'
import { baseErrors } from '@stoa/sdk'
import { defineServerPlugin, route } from '@stoa/sdk/server'
import { guestsChanged, meetup, meetupCalls } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import { createMeetups, dayOf } from './meetups.ts'

export default defineServerPlugin({
  needs: { posts },
  activate({ posts }, ctx) {
    const meetups = createMeetups(ctx, posts)

    ctx.bags.extend(postBag, meetup, {
      schema: schemas.meetup,
      check: ({ day }, { n }) => (n === undefined && day < dayOf(ctx.now()) ? { day: 'meetups.past' } : undefined),
      text: ({ city, day }) => `${city}, ${day}`,
    })
    ctx.on(experienceHooks.stored, ({ n, draft }) => meetups.keep(n, draft.extensions))

    ctx.live.open(guestsChanged, async ({ topic, person }) => (await meetups.postFor(person, topic)) !== undefined)
    ctx.routes([
      route(meetupCalls.guests, schemas.guestsOf, {
        access: 'visitor',
        summary: 'How many come to a meetup.',
        handle: async ({ query, person }) => meetups.guests(await meetups.mustSee(person, query.id), person),
      }),
      route(meetupCalls.come, schemas.come, {
        access: 'active',
        summary: 'Says whether one comes to a meetup.',
        handle: async ({ body, person }) => {
          const n = await meetups.mustSee(person, body.id)
          await ctx.db.write(async () => {
            await meetups.come(n, person, body.comes)
            await ctx.live.push(guestsChanged, body.id, { people: (await meetups.guests(n, person)).people })
          })
          return meetups.guests(n, person)
        },
      }),
      route.document('/meetups/next', {
        access: 'visitor',
        summary: 'Leads to the next meetup.',
        handle: async ({ person }) => {
          const path = await meetups.next(person)
          if (!path) throw baseErrors.route_not_found({ method: 'GET', path: '/meetups/next' })
          return { redirect: path }
        },
      }),
      route.document('/meetups/calendar.ics', {
        access: 'visitor',
        summary: 'All meetups that are to come, as a calendar.',
        handle: ({ person }) => ({ stream: meetups.calendar(person), type: 'text/calendar; charset=utf-8', name: 'meetups.ics' }),
      }),
    ])
  },
})
