import { defineErrors, service } from '@stoa/sdk'

/** A link of a user centre, such as a person's department. */
export interface CentreLink {
  /** Address of a picture, or empty. */
  icon: string
  name: string
  label: string
  /** Empty: text only. */
  url: string
}

/**
 * A directory outside of the site that people belong to, such as a company's. One at a time: a plugin that provides it says
 * `"single": ["user-center"]`. What it knows of people it keeps itself, with its age, and brings up to date by jobs: nothing here asks it anew.
 */
export interface UserCentre {
  /** For clients: `WeCom`. */
  name: string
  displayName(): string
  /** Address of a picture, or empty: that of {@link method}. */
  icon: string
  /** Its own site, or empty. */
  url: string
  /** Id of the login that people come in by, among `signInMethods`. Where that is not usable, there is no user centre. */
  method: string
  /**
   * Whether people log in and register with addresses and passwords of the site as well. No is heeded only while an admin can come in by
   * {@link method}: so nobody locks the owner out.
   */
  keepsOwnLogins(): boolean
  /** Entries for the person's menu of clients. */
  controls?(): { name: string; label: string; url: string }[]
  /** Where people change profile and account; empty: here. */
  settingsOf?(personId: number): { profile: string; account: string }
  /** What is shown on the profile of somebody. */
  brandingOf?(personId: number): Promise<CentreLink[]>
}
export const userCentre = service<UserCentre>('accounts.userCentre')

/** What a user centre may do to the people who came in by a login. */
export interface CentrePeople {
  /** People bound to a login, by number above `after`. */
  boundTo(method: string, after: number, limit: number): Promise<{ personId: number; externalId: string }[]>
  /**
   * The directory has said that somebody is gone from it. Of no effect on admins, and on people who are not in their normal state.
   * In a transaction of its own or the current one. @returns whether they are suspended now
   */
  suspend(personId: number): Promise<boolean>
  /** The directory has said that somebody is there again whom {@link suspend} has suspended. @returns false where they were not suspended any more */
  restore(personId: number): Promise<boolean>
}
export const centrePeople = service<CentrePeople>('accounts.centrePeople')

/** Where people go to and come back from; they need no scripts. */
export const centrePaths = {
  login: `/answer/api/v1/user-center/login/redirect`,
  signUp: `/answer/api/v1/user-center/sign-up/redirect`,
  loginBack: `/answer/api/v1/user-center/login/callback`,
  signUpBack: `/answer/api/v1/user-center/sign-up/callback`,
} as const

export const centreErrors = defineErrors('error.accounts', {
  centre_only: { status: 403, message: 'People log in by the user centre only' },
})
