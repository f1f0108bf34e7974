import { call, defineErrors, event, live, service, services } from '@stoa/sdk'
import type { Static } from '@stoa/sdk/schema'
import type * as schemas from './schemas.ts'

/**
 * Badges of a plugin, contributed in `plugin.json` under this point. Texts stand in its `server` branch as `<name>.name` and `<name>.description`.
 */
export const badgePoint = 'badges.badges'
export interface BadgeDefinition {
  /** Begins with the slug of its plugin and a dot: `acme.explorer`. */
  name: string
  group: BadgeGroup
  /** 1 bronze, 2 silver, 3 gold. */
  level: 1 | 2 | 3
  /** Once a person; otherwise once for each object that earns it. */
  single: boolean
  /** A name of the kit's icons, or one that clients of the protocol know. */
  icon: string
}
export type BadgeGroup = 'start' | 'community' | 'posting'

/** What an award is for. Shown to everybody who can see it; name none where it would tell what somebody keeps to themselves. */
export interface AwardedObject {
  kind: string
  n: number
}
/** Somebody who deserves a badge. */
export interface Deserved {
  personId: number
  /** Needed by a badge that is not single. */
  object?: AwardedObject | undefined
}

export interface Awards {
  /**
   * Gives a badge, in the caller's transaction if there is one. Whoever has it already keeps the one: this may be called again for the same deed.
   * @param badge its name
   * @returns whether it was given just now; false also for a badge that is unknown or switched off, and for somebody who is not there
   */
  give(badge: string, to: Deserved): Promise<boolean>
}
export const awards = service<Awards>('badges.awards')

/** A batch of what earns a badge by what is stored. */
export interface PastBatch {
  deserved: Deserved[]
  /** Where the next batch begins; null when this is the last one. */
  next: number | null
}
/** What happened before badges was on, or while it was off. Whoever contributes badges may provide one; what it finds is awarded silently. */
export interface BadgePast {
  /** Names of the badges it knows about. */
  badges: readonly string[]
  /** @param after 0, then `next` of the batch before; look at some hundred rows at most */
  deserved(badge: string, after: number): Promise<PastBatch>
}
export const badgePasts = services<BadgePast>('badges.pasts')

/** Awards all of the past at once and silently, where nobody waits: for seeders. */
export const badgePast = service<{ all(): Promise<void> }>('badges.past')

export const badgeEvents = {
  /** Somebody was given a badge for something that happened just now. `award`: running number; `badge`: running number of the badge. */
  awarded: event<{ award: number; badge: number; name: string; personId: number }>('badges.awarded', { whileOff: 'replay' }),
}

export const badgeLive = {
  /** There is an award that its owner has not seen; the topic is their public id. */
  awarded: live<Record<string, never>>('badges.awarded'),
}

export type Award = Static<typeof schemas.award>
export type BadgeOfPerson = Static<typeof schemas.ofPerson>

export const badgeCalls = {
  list: call.get<typeof schemas.list>('badges'),
  info: call.get<typeof schemas.info>('badge'),
  awards: call.get<typeof schemas.awards>('badge/awards/page'),
  personal: call.get<typeof schemas.personal>('badge/user/awards'),
  recent: call.get<typeof schemas.recent>('badge/user/awards/recent'),
  /** Own awards that were never shown, the first five. */
  unseen: call.get<typeof schemas.unseen>('badge/unseen'),
  seen: call.put<typeof schemas.seen>('badge/seen'),
  adminPage: call.get<typeof schemas.adminPage>('badges', { admin: true }),
  setStatus: call.put<typeof schemas.setStatus>('badge/status', { admin: true }),
}

export const badgeErrors = {
  ...defineErrors('error.badge', { object_not_found: { status: 404, message: 'No badge {id}' } }),
  /** Where the protocol answers so: to admins, who name one in a body. */
  unknown: defineErrors('error.badge', { object_not_found: { status: 400, message: 'No badge {id}' } }).object_not_found,
  ...defineErrors('error.common', { status_invalid: { status: 400, message: '{status} is no status of a badge' } }),
}
