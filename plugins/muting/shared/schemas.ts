import { pageOf, paging, Type } from '@stoa/sdk/schema'
import { card } from '../../accounts/shared/schemas.ts'

const username = Type.String({ minLength: 1, maxLength: 100 })

export const own = {
  query: Type.Object(paging(20)),
  reply: pageOf(Type.Object({ created_at: Type.Integer(), person: card })),
}
/** `can_mute`: false for oneself and for staff. */
export const state = {
  query: Type.Object({ username }),
  reply: Type.Object({ muted: Type.Boolean(), can_mute: Type.Boolean() }),
}
export const set = {
  body: Type.Object({ username, mute: Type.Boolean() }),
  reply: Type.Object({ muted: Type.Boolean() }),
}
