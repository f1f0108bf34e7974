import { fallback, Type } from '@stoa/sdk/schema'

/** Tags of one list. */
const MOST_TAGS = 200

export const follow = {
  body: Type.Object({
    object_id: Type.String({ minLength: 1, maxLength: 100 }),
    is_cancel: fallback(Type.Boolean(), false),
    /** From forms without scripts, whose page does not know what the caller chose: the opposite of that. */
    toggle: fallback(Type.Boolean(), false),
  }),
  reply: Type.Object({ follows: Type.Integer(), is_followed: Type.Boolean() }),
}
export const followTags = {
  body: Type.Object({ slug_name_list: Type.Array(Type.String({ maxLength: 100 }), { maxItems: MOST_TAGS }) }),
  reply: Type.Null(),
}
