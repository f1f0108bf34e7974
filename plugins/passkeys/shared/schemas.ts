import { Type } from '@stoa/sdk/schema'

const text = Type.String()
const id = Type.Integer({ minimum: 1 })
const name = Type.String({ minLength: 1, maxLength: 40 })

export const list = {
  reply: Type.Object({
    list: Type.Array(
      Type.Object({
        id: Type.Integer(),
        name: text,
        /** Unix seconds. */
        created_at: Type.Integer(),
        /** Unix seconds; 0: never. */
        last_used_at: Type.Integer(),
      }),
    ),
    /** Where passkeys of this site work; empty: its address allows none. */
    address: text,
  }),
}
/** What a browser is asked, in the form of its own interface. */
export const begin = { reply: Type.Object({ options: Type.Unknown() }) }
export const add = {
  /** `response`: what the browser answered, as JSON text. */
  body: Type.Object({ name, response: Type.String({ minLength: 2, maxLength: 16_384 }) }),
  reply: Type.Null(),
}
export const rename = { body: Type.Object({ id, name }), reply: Type.Null() }
export const remove = { body: Type.Object({ id }), reply: Type.Null() }
