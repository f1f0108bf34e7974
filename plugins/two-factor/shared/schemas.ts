import { Type } from '@stoa/sdk/schema'

const text = Type.String()
const code = Type.String({ minLength: 1, maxLength: 64 })
const userId = Type.String({ minLength: 1, maxLength: 20 })
const codes = Type.Object({ codes: Type.Array(text) })

export const state = {
  reply: Type.Object({
    is_on: Type.Boolean(),
    /** Unix seconds; 0 while it is off. */
    since: Type.Integer(),
    /** Recovery codes that were not used yet. */
    recovery_left: Type.Integer(),
    /** The owner demands it of this person. */
    is_demanded: Type.Boolean(),
  }),
}
export const begin = {
  reply: Type.Object({
    /** Base 32, for typing. */
    secret: text,
    /** `otpauth://…` */
    uri: text,
    /** The address as a QR code: dark squares as a path in a square of `size` units. */
    qr: Type.Object({ size: Type.Integer(), path: text }),
  }),
}
export const enable = { body: Type.Object({ code }), reply: codes }
export const renew = { reply: codes }
export const disable = { reply: Type.Null() }
export const stateOf = { query: Type.Object({ user_id: userId }), reply: Type.Object({ is_on: Type.Boolean() }) }
export const reset = { body: Type.Object({ user_id: userId }), reply: Type.Null() }
