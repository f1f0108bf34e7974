import { Type } from '@stoa/sdk/schema'
import { session } from './schemas.ts'

const text = Type.String()
const method = Type.String({ minLength: 1, maxLength: 64 })
/** What proves who one is. `code` alone will do where nothing but a code is typed: every method that takes one is tried. */
const proof = {
  method: Type.Optional(method),
  code: Type.Optional(Type.String({ maxLength: 64 })),
  given: Type.Optional(Type.Record(Type.String({ maxLength: 40 }), Type.String({ maxLength: 8192 }), { maxProperties: 8 })),
}

/** A way to prove who one is, for a page to offer. */
const methodView = Type.Object({
  id: text,
  /** In the caller's language. */
  name: text,
  fields: Type.Array(Type.Object({ name: text, label: text, type: text })),
  /** Something has to be asked for before: a challenge, a mail. */
  begins: Type.Boolean(),
})
export const methodViews = Type.Array(methodView)

/** Null: nothing is pending in this browser. */
export const pending = { reply: Type.Union([Type.Null(), Type.Object({ methods: methodViews })]) }
export const begin = {
  /** `anew`: whatever is pending, for somebody who has not said who they are. */
  body: Type.Object({ method, anew: Type.Optional(Type.Boolean()) }),
  reply: Type.Object({ shown: Type.Unknown() }),
}
export const proveLogin = { body: Type.Object(proof), reply: session }
export const confirm = { body: Type.Object(proof), reply: Type.Null() }
