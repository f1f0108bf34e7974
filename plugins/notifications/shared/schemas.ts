import { fallback, oneOf, pageOf, paging, Type } from '@stoa/sdk/schema'
import { card } from '../../accounts/shared/schemas.ts'
import { frequencies } from './kinds.ts'

const text = Type.String()
const whole = Type.Integer()
const id = Type.String({ minLength: 1, maxLength: 20 })
const type = oneOf(['inbox', 'achievement'])

const notice = Type.Object({
  id: text,
  /** Who did it last; absent where nobody is named. */
  user_info: Type.Optional(card),
  object_info: Type.Object({
    title: text,
    /** `0`: gone, or not for the reader any more. */
    object_id: text,
    object_map: Type.Record(text, text),
    object_type: text,
    /** In this site; empty where there is nothing to see. */
    path: text,
  }),
  /** Reputation, for achievements. */
  rank: whole,
  /** What was done: stands behind the name. */
  notification_action: text,
  is_read: Type.Boolean(),
  update_time: whole,
  kind: text,
  /** How many did it. */
  people: whole,
})
export const page = {
  query: Type.Object({ ...paging(10), type, inbox_type: fallback(oneOf(['all', 'posts', 'invites', 'votes']), 'all') }),
  reply: pageOf(notice),
}

export const statusReply = Type.Object({
  /** Notices since the dot was cleared. */
  inbox: whole,
  achievement: whole,
  /** What waits for review by the caller. */
  revision: whole,
  can_revision: Type.Boolean(),
  badge_award: Type.Union([Type.Object({ notification_id: text, badge_id: text, name: text, icon: text, level: whole }), Type.Null()]),
})
export const status = { reply: statusReply }
export const clearStatus = { body: Type.Object({ type }), reply: statusReply }
export const readOne = { body: Type.Object({ id }), reply: Type.Object({}) }
export const readAll = { body: Type.Object({ type }), reply: Type.Object({}) }

const frequency = oneOf(frequencies)
const source = Type.Object({ key: text, enable: Type.Boolean() })
/** What can be chosen for a kind on a channel. */
const kindSetting = Type.Object({
  name: text,
  label: text,
  /** Part of the settings in which it stands; they come in this order. */
  group: Type.Enum(['talk', 'praise', 'new']),
  channels: Type.Array(Type.Object({ key: text, frequency })),
})
export const config = {
  reply: Type.Object({
    inbox: source,
    all_new_experience: source,
    all_new_experience_for_following_tags: source,
    /** Channels that are there, by name. */
    channels: Type.Array(
      Type.Object({
        key: text,
        label: text,
        /** Why nothing reaches the caller by it at present, said to them. */
        trouble: Type.Optional(text),
      }),
    ),
    /** Each kind that channels may bring. */
    kinds: Type.Array(kindSetting),
  }),
}
export const retryChannel = { body: Type.Object({ channel: Type.String({ minLength: 1, maxLength: 30 }) }), reply: Type.Null() }
const chosenSource = Type.Optional(Type.Object({ key: Type.Optional(Type.String({ maxLength: 30 })), enable: Type.Boolean() }))
const kindName = Type.String({ minLength: 1, maxLength: 100 })
const channelKey = Type.String({ minLength: 1, maxLength: 30 })
const chosenKind = Type.Object({ name: kindName, channel: channelKey, frequency })
/** As the reply of `config` has it. */
const readKind = Type.Object({ name: kindName, channels: Type.Array(Type.Object({ key: channelKey, frequency }), { maxItems: 20 }) })
export const saveConfig = {
  body: Type.Object({
    inbox: chosenSource,
    all_new_experience: chosenSource,
    all_new_experience_for_following_tags: chosenSource,
    /** Choices for single kinds; those that are left out, or sent back as they were read, stay as they are. */
    kinds: Type.Optional(Type.Array(Type.Union([chosenKind, readKind]), { maxItems: 500 })),
  }),
  reply: Type.Null(),
}

const code = Type.String({ minLength: 1, maxLength: 500 })
export const unsubscribeByProgram = { query: Type.Object({ code }), reply: Type.Null() }
export const unsubscribe = { body: Type.Object({ code }), reply: Type.Null() }
