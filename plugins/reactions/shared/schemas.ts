import { fallback, oneOf, Type } from '@stoa/sdk/schema'

export const emojis = ['heart', 'smile', 'frown'] as const

const object_id = Type.String({ minLength: 1, maxLength: 100 })

export const reaction = Type.Object({
  emoji: oneOf(emojis),
  count: Type.Integer(),
  /** Who reacted so: at most five names, then how many more. */
  tooltip: Type.String(),
  /** The person who asks is among them. */
  is_active: Type.Boolean(),
})
/** Only what somebody gave, in the order of {@link emojis}. */
const summary = Type.Object({ reaction_summary: Type.Array(reaction) })

export const get = { query: Type.Object({ object_id }), reply: Type.Union([summary, Type.Null()]) }
export const react = {
  body: Type.Object({
    object_id,
    emoji: oneOf(emojis),
    reaction: oneOf(['activate', 'deactivate']),
    /** From forms without scripts, whose page does not know what the caller gave: the opposite of that. */
    toggle: fallback(Type.Boolean(), false),
  }),
  reply: summary,
}
