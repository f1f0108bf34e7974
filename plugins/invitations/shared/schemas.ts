import { Type } from '@stoa/sdk/schema'
import { card } from '../../accounts/shared/schemas.ts'

/** People invited to one post, at most. */
export const MOST = 20

const id = Type.String({ minLength: 1, maxLength: 100 })

export const invited = { query: Type.Object({ id }), reply: Type.Array(card) }
export const invite = {
  body: Type.Object({ id, invite_user: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: MOST }) }),
  reply: Type.Null(),
}
