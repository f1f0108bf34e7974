import { Type } from '@stoa/sdk/schema'

/** What stands beside a post. */
export const meetup = Type.Object({
  city: Type.String({ minLength: 1, maxLength: 100 }),
  day: Type.String({ format: 'date' }),
})

const guests = Type.Object({ people: Type.Integer(), comes: Type.Boolean() })
const id = Type.String({ minLength: 1, maxLength: 40 })

export const guestsOf = { query: Type.Object({ id }), reply: guests }
export const come = { body: Type.Object({ id, comes: Type.Boolean() }), reply: guests }
