import { slot } from '@stoa/sdk'

/** What the log knows of one object. */
export interface LoggedObject {
  /** As `StaffAct` names it. */
  kind: string
  id: string
  /** Anything that is different after each change of the object: the section then reads again. */
  version?: unknown
}

/** Places that audit fills and admins' pages of other plugins draw. */
export const auditSlots = {
  /** A section with what staff did to an object, the last first. */
  object: slot<LoggedObject>('audit.object'),
}
