import type { Generated } from 'kysely'

export interface ProfileTable {
  id: number
  username: string
  username_lower: string
  display_name: string
  display_lower: string
  email: string
  email_hash: string
  state: string
  role: number
  bio: string
  bio_html: string
  website: string
  location: string
  avatar_type: string
  avatar_custom: string
  language: string
  color_scheme: string
  /** Empty: not chosen. */
  time_zone: string
  rank: number
  experience_count: number
  answer_count: number
  follow_count: number
  created_at: number
  last_login_at: number
  suspended_at: number
  /** 0: until somebody lifts it. */
  suspended_until: number
  suspension_reason: string
  deleted_at: number
}

export interface AccountTables {
  accounts__profile: {
    [K in keyof ProfileTable]: K extends
      | 'bio'
      | 'bio_html'
      | 'website'
      | 'location'
      | 'avatar_type'
      | 'avatar_custom'
      | 'language'
      | 'color_scheme'
      | 'time_zone'
      | 'rank'
      | 'experience_count'
      | 'answer_count'
      | 'follow_count'
      | 'last_login_at'
      | 'suspended_at'
      | 'suspended_until'
      | 'suspension_reason'
      | 'deleted_at'
      ? Generated<ProfileTable[K]>
      : ProfileTable[K]
  }
  accounts__mail_code: {
    person_id: number
    purpose: string
    code_hash: string
    email: string
    expires_at: number
    /** Of the principal when the code was asked for; with another one it is revoked. */
    revision: Generated<number>
    /** 0 until it is used. */
    used_at: Generated<number>
  }
  /** A login or confirmation that has begun. `person_id` 0: nobody knows yet who it is. */
  accounts__attempt: {
    token_hash: string
    intent: 'login' | 'confirm'
    person_id: number
    /** Of the principal when it began; with another one it is over. */
    revision: number
    /** Confirmer that began something, and what it keeps until the proof comes. */
    method: Generated<string>
    kept: Generated<string>
    tries: Generated<number>
    expires_at: number
  }
  /** The plugin's second step is demanded of this person. */
  accounts__demand: { person_id: number; slug: string }
  /** Sessions in which somebody proved who they are. */
  accounts__confirmation: { session_hash: string; person_id: number; confirmed_at: number }
  /** By which other sites know people. */
  accounts__identity: { method: string; external_id: string; person_id: number; created_at: number; used_at: number }
  /** A login at another site that is under way. `kept` is JSON; `person_id` 0: nobody knows yet who it is. */
  accounts__sign_in: {
    id: string
    /** How far it is: sent away, an address is asked for, a link was mailed, the session waits. */
    stage: 'begun' | 'address' | 'mailed' | 'done'
    key_hash: string
    browser_hash: string
    person_id: number
    method: string
    kept: string
    expires_at: number
  }
  accounts__guess: { person_id: number; count: number; since: number }
  accounts__reputation: {
    id: Generated<number>
    person_id: number
    delta: number
    reason: string
    object_id: string
    /** Of `changeState`; only what stands counts. */
    is_cancelled: Generated<number>
    created_at: number
    /** Who caused it, 0 when nobody was named. */
    cause_id: Generated<number>
  }
  /** What the last check of ranks found. */
  accounts__rank_difference: {
    person_id: number
    rank: number
    ledger: number
    found_at: number
  }
  /** Usernames that people have and have had. `taken_at` is 0 for the first one. */
  accounts__name: { username_lower: string; person_id: number; taken_at: number }
  /** What one plugin still has to forget of somebody. */
  accounts__erasure: {
    person_id: number
    slug: string
    stand_in_id: number
    removes_content: number
    /** 0 until it has; the row goes when it has once more. */
    done_at: Generated<number>
  }
  /** Plugins that were seen to hold personal data, be they on or off. */
  accounts__data_holder: { slug: string }
  /** Who deletes their own account; until `due_at` a login takes it back. */
  accounts__leaving: { person_id: number; removes_content: number; asked_at: number; due_at: number }
  /** The last archive of their own data that somebody asked for. */
  accounts__archive: {
    person_id: number
    asked_at: number
    /** 0 until it is there. */
    made_at: Generated<number>
    /** Of the stored file; empty until it is there. */
    path: Generated<string>
    bytes: Generated<number>
  }
}

/** `cancelled`: undone for good; `withdrawn`: its object is deleted. */
export const changeState = { standing: 0, cancelled: 1, withdrawn: 2 } as const

/** Reasons of rows that only make the sum right: what somebody began with, and what the floor kept from being taken. Nobody is shown them. */
export const ledgerOnly = { start: 'rank.start', floor: 'rank.floor' } as const

/** What the card of a person is made of. */
export const cardColumns = [
  'id',
  'username',
  'display_name',
  'rank',
  'avatar_type',
  'avatar_custom',
  'email_hash',
  'website',
  'location',
  'language',
  'state',
] as const satisfies (keyof ProfileTable)[]

/** Everything of a profile that its owner reads. */
export const profileColumns = [
  ...cardColumns,
  'email',
  'role',
  'bio',
  'bio_html',
  'color_scheme',
  'time_zone',
  'experience_count',
  'answer_count',
  'follow_count',
  'created_at',
  'last_login_at',
  'suspended_at',
  'suspended_until',
  'suspension_reason',
  'deleted_at',
] as const satisfies (keyof ProfileTable)[]

export type CardRow = Pick<ProfileTable, (typeof cardColumns)[number]>
export type ProfileRow = Pick<ProfileTable, (typeof profileColumns)[number]>
