import type { Person } from '@stoa/sdk'
import { baseErrors, isAdmin, isStaff } from '@stoa/sdk'
import type { Access, SiteInfo } from '@stoa/sdk/server'
import { accessErrors } from '@stoa/sdk/server'

const inactive = () => accessErrors.need_to_be_verified({}, { type: 'inactive' })
const suspended = () => accessErrors.suspended({}, { type: 'suspended' })

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
