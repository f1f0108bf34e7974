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
  'deleted_at',
] as const satisfies (keyof ProfileTable)[]

export type CardRow = Pick<ProfileTable, (typeof cardColumns)[number]>
export type ProfileRow = Pick<ProfileTable, (typeof profileColumns)[number]>
