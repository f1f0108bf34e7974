import { pageOf, paging, Type } from '@stoa/sdk/schema'

const text = Type.String()
const whole = Type.Integer()
const moment = Type.Optional(Type.Integer({ minimum: 0, maximum: 99_999_999_999 }))

const change = Type.Object({ field: text, from: text, to: text })
export const entry = Type.Object({
  id: whole,
  created_at: whole,
  /** Empty for the site itself. */
  actor: Type.Object({ id: text, username: text, display_name: text, avatar: text }),
  action: text,
  /** What was done, behind the actor's name, with the object at `{{object}}`. */
  phrase: text,
  object: Type.Object({ kind: text, id: text, label: text, path: text }),
  note: text,
  changes: Type.Array(change),
})

export const page = {
  query: Type.Object({
    ...paging(20),
    /** Username of who did it. */
    actor: Type.Optional(Type.String({ maxLength: 100 })),
    action: Type.Optional(Type.String({ maxLength: 100 })),
    object_kind: Type.Optional(Type.String({ maxLength: 50 })),
    object_id: Type.Optional(Type.String({ maxLength: 100 })),
    /** Somewhere in the object's name or in the note. */
    query: Type.Optional(Type.String({ maxLength: 100 })),
    since: moment,
    until: moment,
  }),
  reply: pageOf(entry),
}

export const actions = {
  reply: Type.Array(Type.Object({ name: text, label: text })),
}
