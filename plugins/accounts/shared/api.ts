import type { Person } from '@stoa/sdk'
import { call, decorator, defineErrors, event, filter, read, series, service, services } from '@stoa/sdk'
import type { Static } from '@stoa/sdk/schema'
import type * as schemas from './schemas.ts'

export * from './mentions.ts'
export * from './sign-in.ts'
export * from './slots.ts'
export * from './suspension-times.ts'
export * from './user-centre.ts'

/** A person as other people's lists show them (the protocol's basic user). */
export type PersonCard = Static<typeof schemas.card>

/** Card of somebody unknown: neutral values with the id. */
export const nobody = (id: number): PersonCard => ({
  id: String(id),
  username: '',
  rank: 0,
  display_name: `user${id}`,
  avatar: '',
  website: '',
  location: '',
  language: '',
  status: 'deleted',
})

export type PersonCounter = 'experience_count' | 'answer_count' | 'follow_count'

/** What profiles count, for whoever stores it (`counted` of `server/commands.ts`): what everybody can see, by its author, of the kind `person`. */
export const countedOfPeople = { experiences: 'accounts.experiences', answers: 'accounts.answers' } as const

export interface People {
  card(id: number): Promise<PersonCard | undefined>
  /** Case-insensitive. */
  idOf(username: string): Promise<number | undefined>
  rankOf(id: number): Promise<number>
  /** Adds to a counter of the profile in the caller's transaction. */
  count(id: number, counter: PersonCounter, delta: number): Promise<void>
}
export const people = service<People>('accounts.people')

export interface ReputationChange {
  personId: number
  delta: number
  /** Event key such as `experience.voted_up`; its text stands in the `server` branch as `rank_type.<key>`. */
  reason: string
  /** Long public id of the object. */
  objectId: string
  /** Counts towards the daily cap of 200 (default true). */
  capped?: boolean
  /** Whose act it is, such as the voter's: tells several changes for one reason and object apart. */
  causeId?: number
}
export interface Reputation {
  /** Changes reputation in the caller's transaction; never below 1 once activated. @returns what was really applied (0 when capped). */
  change(change: ReputationChange): Promise<number>
  /** Takes back what `change` applied for this person, reason and object, and by this cause if one is given; once. */
  undo(change: Omit<ReputationChange, 'delta' | 'capped'>): Promise<number>
  /** The object is deleted: what it brought and cost anybody does not count until {@link giveBack}. In the caller's transaction. */
  withdraw(objectId: string): Promise<void>
  /** The object is there again, and so is what was withdrawn. */
  giveBack(objectId: string): Promise<void>
}
export const reputation = service<Reputation>('accounts.reputation')

/**
 * Takes back what some changes applied and makes others, in the caller's transaction. By person, as all who change the reputation of several do: of two
 * that change the same people's, each would wait for the other.
 * @param reputation nothing is done while there is none
 */
export async function moveReputation(
  reputation: Reputation | undefined,
  undone: ReputationChange[],
  made: ReputationChange[],
): Promise<void> {
  const moves = [
    ...undone.map((change) => ({ change, how: 'undo' as const })),
    ...made.map((change) => ({ change, how: 'change' as const })),
  ]
  for (const { change, how } of moves.sort((a, b) => a.change.personId - b.change.personId)) await reputation?.[how](change)
}

/** Cards by id for reads; unknown ids are left out. */
export const personCards = read<{ ids: number[] }, Record<number, PersonCard>>('accounts.cards')
export const personByUsername = read<{ username: string }, { id: number; card: PersonCard } | null>('accounts.byUsername')
/** At most five active people other than the reader whose username or display name begins so. */
export const peopleNamed = read<{ username: string }, PersonCard[]>('accounts.search')
export const rankOf = read<{ id: number }, number>('accounts.rank')
/**
 * Those of some people who say something about themselves: of these, or of the first `limit` with an id above `after`.
 * @returns `next`: where the following ones begin; null when there are none
 */
export const peopleWithBio = read<{ ids: number[] } | { after: number; limit: number }, { ids: number[]; next: number | null }>(
  'accounts.withBio',
)

export const accountEvents = {
  registered: event<{ id: number }>('accounts.registered'),
  activated: event<{ id: number }>('accounts.activated'),
  /** Somebody's reputation is another by `delta`, never 0. `objectId`: long public id of what brought it; `reason`: as it was changed with. */
  reputationChanged: event<{ personId: number; delta: number; reason: string; objectId: string }>('accounts.reputationChanged'),
  profileChanged: event<{ id: number }>('accounts.profileChanged', { whileOff: 'resync' }),
}

/** What `npm run seed` made of people, for the seeders after it: `seeded<{ internal: SeededPeople }>('accounts').internal`. */
export interface SeededPeople {
  /** In the order of activity, busiest first. */
  ids: number[]
  /** Adds to a counter of profiles, by person, for many at once. @param db transaction of the calling seeder */
  count(db: unknown, counter: PersonCounter, amounts: ReadonlyMap<number, number>): Promise<void>
}

export const accountHooks = {
  /** In the transaction in which an admin deletes a person and asks for the content to go as well. */
  removeContent: series<(personId: number) => void>('accounts.removeContent', { onFault: 'refuse' }),
  /**
   * In the transaction in which staff clean up after a spammer, who stays and is suspended: everything that others read of them is deleted as staff delete
   * it, so that each piece can be restored.
   */
  removeWriting: series<(personId: number) => void>('accounts.removeWriting', { onFault: 'refuse' }),
}

/** The archive that somebody's data is written into. */
export interface PersonalArchive {
  /**
   * Adds records to a file of the plugin's, in parts if there are many: a few hundred at a time.
   * @param name of the file, without its ending: lower-case letters, digits, `-`
   * @param records what `JSON.stringify` takes; moments as unix seconds, objects by their public ids
   */
  records(name: string, records: readonly object[]): Promise<void>
  /** Adds a file that they uploaded, unless the archive would become too large. @param name letters, digits, `-_./`; no `..` */
  file(name: string, data: Uint8Array): Promise<void>
}

export interface Erasure {
  personId: number
  /**
   * Whose is from now on what stays: a number that stands for this person only and tells nothing of them. It is a deleted person to every other part of
   * the site, so what they wrote shows a neutral name, and unique constraints hold.
   */
  standInId: number
  /** What they wrote is to go as well: the same as {@link accountHooks.removeContent}, which a plugin that was off has not heard. */
  removesContent: boolean
}

/**
 * What a plugin knows of people. Every plugin whose tables hold somebody's id, address or name provides one; a test looks for those that do not.
 * Both run in a job, outside of a transaction, and may be repeated.
 */
export interface PersonalData {
  /** Writes everything that the plugin holds of somebody and that is about them or by them. */
  export(personId: number, archive: PersonalArchive): Promise<void>
  /**
   * Afterwards no table of the plugin holds the person's id, address or name. The principal is deleted already and cannot act any more. Runs when the
   * plugin is on again if it was off, and once more an hour later, for what events on their way brought meanwhile.
   */
  erase(erasure: Erasure): Promise<void>
}
export const personalData = services<PersonalData>('accounts.personalData')

/** What brought somebody reputation, as `personal/rank/page` shows it. */
export type RewardedObject = Pick<
  Static<typeof schemas.reputationRow>,
  'object_id' | 'experience_id' | 'answer_id' | 'title' | 'url_title' | 'content'
>
/** Rows of somebody's reputation; the owner of each kind fills `view`. What stays null (hidden from the person who asks, or its owner is off) is left out. */
export const rewardedObjects = decorator<{ kind: string; n: number; view: RewardedObject | null }>('accounts.rewardedObjects')
/**
 * Running numbers of those of a kind for which {@link rewardedObjects} is filled, by the owner of the kind: pages and their count are made of these, and
 * nothing is listed of a kind for which nobody answers.
 */
export const shownRewards = filter<{ kind: string }>('accounts.shownRewards')

/** Votes a person cast since a moment, most first; answered by whoever keeps votes, for the ranking. */
export const votesCast = read<{ since: number; limit: number }, { personId: number; votes: number }[]>('accounts.votesCast')

export const accountCalls = {
  login: call.post<typeof schemas.login>('user/login/email'),
  register: call.post<typeof schemas.register>('user/register/email'),
  logout: call.post<typeof schemas.logout>('user/logout'),
  /** The same for clients that ask so. */
  logoutByGet: call.get<typeof schemas.logout>('user/logout'),
  ownInfo: call.get<typeof schemas.ownInfo>('user/info'),
  sendActivation: call.post<typeof schemas.sendActivation>('user/email/verification/send'),
  activate: call.post<typeof schemas.byCode>('user/email/verification'),
  changePassword: call.put<typeof schemas.changePassword>('user/password'),
  resetPassword: call.post<typeof schemas.resetPassword>('user/password/reset'),
  replacePassword: call.post<typeof schemas.replacePassword>('user/password/replacement'),
  changeEmail: call.post<typeof schemas.changeEmail>('user/email/change/code'),
  confirmEmail: call.put<typeof schemas.byCode>('user/email'),
  saveProfile: call.put<typeof schemas.saveProfile>('user/info'),
  saveInterface: call.put<typeof schemas.saveInterface>('user/interface'),
  sessions: call.get<typeof schemas.sessions>('user/session'),
  endSession: call.del<typeof schemas.endSession>('user/session'),
  endOtherSessions: call.del<typeof schemas.endOtherSessions>('user/session/others'),
  ownArchive: call.get<typeof schemas.ownArchive>('user/archive'),
  askArchive: call.post<typeof schemas.askArchive>('user/archive'),
  leave: call.post<typeof schemas.leave>('user/leave'),
  publicProfile: call.get<typeof schemas.publicProfile>('personal/user/info'),
  ranking: call.get<typeof schemas.ranking>('user/ranking'),
  reputation: call.get<typeof schemas.reputation>('personal/rank/page'),
  reputationCheck: call.get<typeof schemas.reputationCheck>('reputation/check', { admin: true }),
  correctReputation: call.post<typeof schemas.correctReputation>('reputation/correct', { admin: true }),
  directory: call.get<typeof schemas.directory>('user/page'),
  searchPeople: call.get<typeof schemas.searchPeople>('user/info/search'),
  searchStaff: call.get<typeof schemas.searchStaff>('user/staff'),
  adminPage: call.get<typeof schemas.adminPage>('users/page', { admin: true }),
  addPeople: call.post<typeof schemas.addPeople>('users', { admin: true }),
  adminPerson: call.get<typeof schemas.adminPerson>('user/info', { admin: true }),
  endTheirSessions: call.del<typeof schemas.endTheirSessions>('user/session', { admin: true }),
  checkPeople: call.post<typeof schemas.checkPeople>('users/check', { admin: true }),
  cleanUp: call.post<typeof schemas.cleanUp>('user/clean-up'),
  setState: call.put<typeof schemas.setState>('user/status', { admin: true }),
  setRole: call.put<typeof schemas.setRole>('user/role', { admin: true }),
  setPassword: call.put<typeof schemas.setPassword>('user/password', { admin: true }),
  setProfile: call.put<typeof schemas.setProfile>('user/profile', { admin: true }),
  activationLink: call.get<typeof schemas.activationLink>('user/activation', { admin: true }),
  mailActivation: call.post<typeof schemas.mailActivation>('user/activation', { admin: true }),
  userCentre: call.get<typeof schemas.userCentre>('user-center/agent'),
  userCentreSettings: call.get<typeof schemas.userCentreSettings>('user-center/user/settings'),
  userCentreBranding: call.get<typeof schemas.userCentreBranding>('user-center/personal/branding'),
  adminUserCentre: call.get<typeof schemas.adminUserCentre>('user-center/agent', { admin: true }),
  actionRecord: call.get<typeof schemas.actionRecord>('user/action/record'),
}

const objectErrors = defineErrors('error.object', {
  email_or_password_incorrect: { status: 400, message: 'Unknown address or wrong password', field: 'e_mail' },
  old_password_verification_failed: { status: 400, message: 'The present password is wrong' },
  new_password_same_as_previous_setting: { status: 400, message: 'The new password is the present one', field: 'pass' },
})
const emailErrors = defineErrors('error.email', {
  duplicate: { status: 400, message: 'The address is taken' },
  illegal_email_domain_error: { status: 400, message: 'Addresses of {domain} are not accepted' },
  verify_url_expired: { status: 403, message: 'The code is unknown, used, expired or for something else' },
})
const userErrors = defineErrors('error.user', {
  not_allowed_registration: { status: 400, message: 'Registration is closed' },
  username_invalid: { status: 400, message: 'The username {username} is reserved or malformed', field: 'username' },
  username_duplicate: { status: 400, message: 'The username {username} is taken', field: 'username' },
  cannot_update_your_role: { status: 400, message: 'Admins may not change their own role' },
})
const adminErrors = defineErrors('error.admin', {
  cannot_modify_self_status: { status: 400, message: 'Admins may not change their own status' },
  cannot_update_their_password: { status: 400, message: 'Admins change their own password in their settings' },
})

/** Somebody who is not there, where the protocol answers 400 and where it answers 404. */
const unknownPerson = defineErrors('error.user', { not_found: { status: 400, message: 'No person {id}' } })
const unknownPage = defineErrors('error.user', { not_found: { status: 404, message: 'No person {username}' } })

const ownErrors = defineErrors('error.accounts', {
  already_active: { status: 400, message: 'Person {id} is {state} and needs no activation' },
  username_often: { status: 400, message: 'Username changed {most} times in 30 days', field: 'username' },
  password_common: { status: 400, message: 'The password is one of those that are tried first' },
  until_past: { status: 400, message: 'The end of the suspension is not between now and ten years from now', field: 'suspended_until' },
  cleanup_staff: { status: 400, message: 'Person {id} is staff, deleted, or the one who asks' },
  changed_meanwhile: { status: 400, message: 'The account was changed while somebody logged in; log in again' },
  last_admin: { status: 400, message: 'The only admin cannot leave' },
})

export const accountErrors = {
  ...ownErrors,
  ...objectErrors,
  ...emailErrors,
  ...userErrors,
  ...adminErrors,
  not_found: unknownPerson.not_found,
  page_not_found: unknownPage.not_found,
}

/** A field in which a person types what proves who they are. */
export interface ProofField {
  /** Member of what is checked. */
  name: string
  /** Key of a text in the `server` branch. */
  label: string
  /** `code`: digits or letters from elsewhere. `password`: not shown. */
  type: 'code' | 'password'
}

/**
 * A way to prove who one is, beside others: asked for after the password, before something delicate, or in place of the password.
 * It only judges, and uses no `this`; accounts keeps attempts and limits, opens sessions and decides. Several per plugin; each offers its own.
 */
export interface Confirmer {
  /** Unique on the site; begins with the slug of its plugin. */
  id: string
  /** Key of a text in the `server` branch: what people call it. */
  name: string
  /** What is typed. Empty: the browser makes the proof, by a component of the plugin in `accounts.proof`. */
  fields: readonly ProofField[]
  /**
   * `demanded`: whoever has set it up is not let in by the password alone. `accepted`: it does in place of one that is demanded.
   * Undefined: it confirms a session of those for whom nothing is demanded, and no more.
   */
  atLogin?: 'demanded' | 'accepted'
  /** The person has it and could use it now. */
  isSetUp(personId: number): Promise<boolean>
  /**
   * Before it is asked for, such as a challenge. `shown` goes to the browser, `kept` stays here until the proof comes and is given to one proof only.
   * @param personId null: nobody knows yet who it is
   */
  begin?(personId: number | null): Promise<{ shown: unknown; kept: string }>
  /** Whether this is proof of this person. What works once must be used up by one atomic statement. @param given as sent, every member a text of at most 8 KB */
  check(personId: number, given: Record<string, string>, kept: string): Promise<boolean>
  /** Who it is, for a proof that stands in place of address and password: it has to hold something the person has and something they know or are. */
  identify?(given: Record<string, string>, kept: string): Promise<number | undefined>
}
export const confirmers = services<{ confirmers: readonly Confirmer[] }>('accounts.confirmers')

export interface Confirmation {
  /**
   * Asks for a session in which the person proved within the last ten minutes who they are: by signing in or by a {@link Confirmer}. For `before`
   * of a route, or at the beginning of its handler. Pages of the site ask the person and send the call again.
   * @throws 403 `error.session.confirm`
   */
  require(request: { person: Person | null; token: string | null }): Promise<void>
  /**
   * In the transaction in which a person sets up or removes a confirmer that is `demanded`: so it is remembered that the password alone is not
   * enough, also where the plugin does not run. @param slug of the plugin
   */
  demand(personId: number, slug: string, isDemanded: boolean): Promise<void>
  /** Whether somebody could still come in if the plugin `slug` let nobody in: by password, where there is one and the site takes it, or by another way. */
  hasOtherWay(personId: number, slug: string): Promise<boolean>
}
export const confirmation = service<Confirmation>('accounts.confirmation')

export interface Passwords {
  /**
   * Refuses a password that others try first: one of those that many people have, or what is known of the person.
   * @param own address and names of who chooses it
   * @param field where it is typed; default: `pass`
   * @throws `error.accounts.password_common` at the field
   */
  refuseCommon(password: string, own?: readonly string[], field?: string): Promise<void>
}
/** What passwords people may choose. */
export const passwords = service<Passwords>('accounts.passwords')

/**
 * Another way than the password for people to come in.
 * `letsIn`: which of these people could sign in by it alone now.
 */
export const waysIn = services<{ letsIn(people: readonly number[]): Promise<ReadonlySet<number>> }>('accounts.waysIn')

/** A way to prove who one is, as a page offers it. */
export type ProofMethod = Static<typeof schemas.methodViews>[number]

export const confirmingCalls = {
  /** What is asked for after the password, in the browser that gave it. */
  pending: call.get<typeof schemas.pendingLogin>('user/login/pending'),
  beginLogin: call.post<typeof schemas.beginProof>('user/login/proof/begin'),
  /** Ends a login by a proof: after the password, or in its place. */
  proveLogin: call.post<typeof schemas.proveLogin>('user/login/proof'),
  beginConfirm: call.post<typeof schemas.beginProof>('user/session/confirm/begin'),
  confirm: call.post<typeof schemas.confirmSession>('user/session/confirm'),
}

export const confirmingErrors = {
  ...defineErrors('error.session', {
    confirm: { status: 403, message: 'The session was not confirmed within the last ten minutes' },
  }),
  ...defineErrors('error.accounts', {
    second_step: { status: 400, message: 'The password is right, and something else is demanded of person {id}' },
    second_step_unavailable: { status: 403, message: 'The plugin {slug} that checks the second step of person {id} does not run' },
    attempt_over: { status: 400, message: 'The login was not begun in this browser, is used or too old' },
    proof_wrong: { status: 400, message: 'This is no proof of {method}' },
  }),
}
