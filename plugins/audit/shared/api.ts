import { call, decorator, read, service } from '@stoa/sdk'
import type * as schemas from './schemas.ts'

export * from './slots.ts'

/**
 * The point of `plugin.json` where plugins name what their staff do: `{ "name": "accounts.suspended", "text": "accounts.audit.suspended" }`. `text` is a key
 * of the `server` branch: what was done, as it stands behind a name, with the object at `{{object}}` (“suspended {{object}}”). What was logged keeps
 * the words it was logged with, whoever goes.
 */
export const actionPoint = 'audit.actions'
export interface AuditAction {
  /** Begins with the slug of its plugin, or one of its object kinds, and a dot. Stored: never reused for something else. */
  name: string
  text: string
}

/** What something was or is: as it is, or a text of the `server` branch by its key. Null: nothing. Cut at 200 characters. */
export type AuditValue = string | number | boolean | null | { text: string; params?: Record<string, string | number> }

export interface AuditChange {
  /** Key of the field's name in the `server` branch, or the name itself. */
  field: string
  /** Null, like `to`, of what is secret: only is told that it changed. */
  from: AuditValue
  to: AuditValue
}

/** Something that a member of the staff did. Nothing secret: passwords, keys and codes are left out, or said to have changed. */
export interface StaffAct {
  /** Whose act it is; 0 for the site itself and the command line. */
  actorId: number
  /** Name of an {@link AuditAction}. */
  action: string
  object?: {
    /** `person`, a kind of `plugin.json`, or a word such as `plugin` and `settings`. */
    kind: string
    /** As the site's addresses have it; of people their number. */
    id: string
    /** What people call it now: a title, a display name, a name of settings. */
    label: string
    /** Where it is to be seen in this site: `/admin/users/7`. */
    path?: string
  }
  /** In the words of who did it, such as a reason. */
  note?: string
  /** At most 50. */
  changes?: readonly AuditChange[]
  /** What keys of `changes` say, by language, where no active plugin has them. */
  texts?: ReadonlyMap<string, Readonly<Record<string, string>>>
}

/**
 * What this plugin knows of people. The shape is that of `accounts.personalData`, which this plugin cannot name: whoever keeps people logs here what
 * happens to them, so it asks.
 */
interface PersonalActs {
  export(personId: number, archive: { records(name: string, records: readonly object[]): Promise<void> }): Promise<void>
  erase(erasure: { personId: number; standInId: number }): Promise<void>
}

/** Who did something, as the log shows them. */
export interface Actor {
  /** Empty for the site itself. */
  id: string
  /** Empty for somebody without a page. */
  username: string
  display_name: string
  avatar: string
}
/** Filled by whoever keeps people. */
export const actors = decorator<{ n: number; view: Actor }>('audit.actors')
/** Number of whoever is called so; null for nobody. Answered by whoever keeps people. */
export const actorNamed = read<{ username: string }, number | null>('audit.actorNamed')

export interface StaffLog {
  /** Puts down what was done, in the caller's transaction or one of its own: what is rolled back was not done. */
  record(act: StaffAct): Promise<void>
  readonly personalData: PersonalActs
}
/** What staff did, for admins to read. Call it through `wants`: `await log.current?.record({ … })`. */
export const staffLog = service<StaffLog>('audit.log')

export const auditCalls = {
  page: call.get<typeof schemas.page>('audit/page', { admin: true }),
  actions: call.get<typeof schemas.actions>('audit/actions', { admin: true }),
}
