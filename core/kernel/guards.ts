import type { Login, SiteState } from '@stoa/sdk/web'
import type { Route } from './registry.ts'

/** `wait`: nobody knows yet who is asking. */
export type Verdict = 'pass' | 'wait' | { place: string; remember?: boolean } | { status: 403 }

type Guard = (login: Login, site: SiteState) => Verdict

const toLogin: Verdict = { place: 'login', remember: true }
const toHome: Verdict = { place: 'home' }
const whenKnown =
  (guard: Guard): Guard =>
  (login, site) =>
    login.known ? guard(login, site) : 'wait'
/** Visitors pass, so the page can be rendered before the person is known. */
const visitorsPass =
  (guard: Guard): Guard =>
  (login, site) =>
    login.isLoggedIn ? guard(login, site) : 'pass'

/** Guards by name with the conditions of the specification, sections 4 and 6. */
const guards: Record<string, Guard> = {
  loggedIn: whenKnown((login) => (login.isLoggedIn ? 'pass' : toLogin)),
  loggedOut: visitorsPass((login) => (login.isInactive ? { place: 'inactive' } : toHome)),
  activated: whenKnown((login) => {
    if (!login.isLoggedIn) return toLogin
    if (login.isForbidden) return { place: 'suspended' }
    return login.isActivated ? 'pass' : { place: 'inactive' }
  }),
  notActivated: visitorsPass((login) => (login.isActivated ? toHome : 'pass')),
  notForbidden: visitorsPass((login) => (login.isForbidden ? { place: 'suspended' } : 'pass')),
  suspended: whenKnown((login) => (login.isForbidden ? 'pass' : toHome)),
  admin: whenKnown((login) => (login.isAdmin ? 'pass' : { status: 403 })),
  staff: whenKnown((login) => (login.isStaff ? 'pass' : { status: 403 })),
  registrationOpen: (_, site) => (site.login?.allow_new_registrations === false ? toHome : 'pass'),
}

/** A name nobody knows refuses. A private site sends visitors to the login, except from the pages that lead there. */
export function checkGuards(route: Route, login: Login, site: SiteState): Verdict {
  if (site.login?.login_required && route.layout !== 'plain') {
    if (!login.known) return 'wait'
    if (!login.isLoggedIn) return toLogin
  }
  for (const name of route.guards) {
    const guard = guards[name]
    const verdict = guard ? guard(login, site) : ({ status: 403 } as const)
    if (verdict !== 'pass') return verdict
  }
  return 'pass'
}
