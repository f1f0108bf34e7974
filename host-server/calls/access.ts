import type { Person } from '@stoa/sdk'
import { baseErrors, isAdmin, isStaff } from '@stoa/sdk'
import type { Access, Closure, SiteInfo } from '@stoa/sdk/server'
import { accessErrors } from '@stoa/sdk/server'

const inactive = () => accessErrors.need_to_be_verified({}, { type: 'inactive' })
const suspended = () => accessErrors.suspended({}, { type: 'suspended' })

/** When who was refused may look again. */
export const RETRY_SECONDS = 300

/** Whether the site serves this person whatever it is closed to. Who is held back comes to where that ends. */
export const isServedAnyway = (person: Person | null): boolean =>
  person !== null && (isStaff(person) || person.isHeldBack === true) && person.state === 'normal'

/** What a site that is closed to some refuses. @throws 503 where nobody is served, 403 where only reading is left */
export function guardClosure(
  asked: { isWrite: boolean; whileClosed?: true; access: Access },
  person: Person | null,
  closure: Closure,
): void {
  const { degree, message } = closure
  if (degree === 'open' || asked.whileClosed || asked.access === 'install' || isServedAnyway(person)) return
  const closed = () => accessErrors.closed({ message, seconds: RETRY_SECONDS })
  if (asked.isWrite) throw degree === 'nobody' ? closed() : accessErrors.read_only({ message })
  // What a private site tells everybody is what it takes to draw the page for logging in.
  if (degree === 'nobody' && asked.access !== 'open') throw closed()
}

/** Decides who may call, before anything of the request's body is read. @throws 401 or 403 of the protocol. */
export function guard(access: Access, person: Person | null, site: Pick<SiteInfo, 'isPrivate' | 'installed'>): void {
  if (access === 'install') {
    if (site.installed) throw baseErrors.route_not_found()
    return
  }
  if (access === 'open') return
  if (access === 'visitor') {
    if (site.isPrivate) requireActive(person)
    return
  }
  if (!person || person.state === 'deleted') throw baseErrors.unauthorized_error()
  if (access === 'member') return
  if (person.isHeldBack && (access === 'admin' || access === 'staff')) throw accessErrors.more_needed()
  // The role comes first: nobody is told to activate an account that would be refused all the same.
  if (access === 'admin' && !isAdmin(person)) throw accessErrors.unauthorized_error({ role: 'admins' })
  if (access === 'staff' && !isStaff(person)) throw baseErrors.forbidden_error({ action: 'staff' })
  requireActive(person)
}

function requireActive(person: Person | null): void {
  if (!person || person.state === 'deleted') throw baseErrors.unauthorized_error()
  if (person.state === 'inactive') throw inactive()
  if (person.state === 'suspended') throw suspended()
}
