import { slot, slots } from '@stoa/sdk'
import type { Static } from '@stoa/sdk/schema'
import type { publicProfile } from './schemas.ts'

/** Where somebody comes in. */
export interface EntryPlace {
  intent: 'login' | 'register'
}

export interface PlacedPerson {
  username: string
  display_name: string
  rank: number
}

/** A profile. */
export interface PersonPlace {
  username: string
  /** Public id. */
  id: string
}

export type SettingsPage = 'profile' | 'account' | 'sessions' | 'privacy' | 'interface'

/** Where somebody proves who they are. */
export interface ProofPlace {
  /** Id of the confirmer that is asked; draw nothing for those of others. */
  method: string
  /** Says the confirmer's name on it. */
  label: string
  /** Gives what `begin` of the confirmer shows. */
  begin(): Promise<unknown>
  /** Sends the proof. It throws nothing: the page says what is wrong. */
  prove(given: Record<string, string>): Promise<void>
}

/** Places in the pages of people. */
export const accountSlots = {
  /** In place of fields, where a proof is made by the browser. */
  proof: slots<ProofPlace>('accounts.proof'),
  /** Below the form of login and of registration. */
  afterForm: slots<Partial<EntryPlace>>('accounts.afterForm', { was: ['login.after-form'] }),
  /** Beside the form of login and of registration, above it: other ways in, and what is asked there. */
  beforeForm: slots<EntryPlace>('accounts.beforeForm'),
  /** In a profile, below name and facts. */
  profile: slots<PersonPlace>('accounts.profile'),
  /** Behind a person's name, where somebody has written something and in lists of people. Ask for nothing here that each would ask for by itself. */
  card: slots<{ person: PlacedPerson }>('accounts.card'),
  /** A section of a page of settings, below its own. */
  settings: slots<{ page: SettingsPage }>('accounts.settings'),
  /** Title and links of the settings: accounts fills it, a page of settings of another plugin draws it around what React can show. */
  settingsFrame: slot<{ children: unknown }>('accounts.settingsFrame'),
  /**
   * Head and tabs of a profile: accounts fills it, a page behind a tab of another plugin draws it around what React can show. The tab is a
   * navigation entry with the place `accounts.profileTabs`, or `accounts.ownProfileTabs` for what only its owner sees; its path is the part behind
   * `/users/<name>`.
   */
  profileFrame: slot<{ profile: Static<(typeof publicProfile)['reply']>; children: unknown }>('accounts.profileFrame'),
  /** A section of an admin's page of one person. `id`: public; `name`: shown. */
  adminPerson: slots<{ id: string; username: string; name: string }>('accounts.adminPerson'),
  /** Below a profile. `id`: of the person; `tab`: the one that is shown. */
  profileTabs: slots<{ username: string; id: string; tab: string }>('accounts.profileTabs', { was: ['profile.tabs'] }),
}
