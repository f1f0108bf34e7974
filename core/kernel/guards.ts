import type { KernelGuard } from '@stoa/sdk/manifest'
import type { Login, Guard as PluginGuard, SiteState, Verdict } from '@stoa/sdk/web'
import { movedGuards } from '../../sdk/legacy/guard-names.ts'
import type { PageMap } from '../../sdk/pages/page-state.ts'
import type { Loader } from './loader.ts'
import type { GuardEntry, Route } from './registry.ts'
import { guardEntry } from './registry.ts'

/** A guard of a plugin that does not do its work. Nobody passes. */
export interface FailedGuard {
  status: 500
  slug: string
  /** With the slug in front. */
  guard: string
  error: unknown
}

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
const guards: Record<KernelGuard, Guard> = {
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
}

/** Guards of plugins by the name that a page gives them. */
export interface PluginGuards {
  /** Undefined: nobody has such a guard. */
  find(route: Route, name: string): { entry: GuardEntry; name: string } | undefined
  /** The module's export, when it is there; `error` says why it cannot be had. */
  peek(entry: GuardEntry): { guard: unknown } | { error: unknown } | undefined
}

const nobodys: PluginGuards = { find: () => undefined, peek: () => undefined }

/** A name nobody knows refuses. A private site sends visitors to the login, except from the pages that lead there. */
export function checkGuards(route: Route, login: Login, site: SiteState, others = nobodys, pathname = ''): Verdict | FailedGuard {
  if (site.login?.login_required && route.layout !== 'plain') {
    if (!login.known) return 'wait'
    if (!login.isLoggedIn) return toLogin
  }
  for (const name of route.guards) {
    const own = Object.hasOwn(guards, name) ? guards[name as KernelGuard] : undefined
    const verdict = own ? own(login, site) : ask(others, route, name, { login, site, pathname })
    if (verdict !== 'pass') return verdict
  }
  return 'pass'
}

function ask(others: PluginGuards, route: Route, name: string, request: Parameters<PluginGuard['check']>[0]): Verdict | FailedGuard {
  const found = others.find(route, name)
  if (!found) return { status: 403 }
  const there = others.peek(found.entry)
  if (!there) return 'wait'
  const failed = (error: unknown): FailedGuard => ({ status: 500, slug: found.entry.slug, guard: found.name, error })
  if ('error' in there) return failed(there.error)
  try {
    const guard = there.guard as Partial<PluginGuard> | undefined
    if (guard?.kind !== 'guard' || !guard.check) throw new Error(`${found.entry.id} is no guard`)
    const verdict = guard.check(request)
    if (!isVerdict(verdict)) throw new Error(`The guard ${found.name} answered ${JSON.stringify(verdict)}`)
    return verdict
  } catch (error) {
    return failed(error)
  }
}

function isVerdict(value: unknown): value is Verdict {
  if (value === 'pass' || value === 'wait') return true
  if (typeof value !== 'object' || value === null) return false
  return ('place' in value && typeof value.place === 'string') || ('status' in value && value.status === 403)
}

export interface Guards extends PluginGuards {
  /** Modules that the guards of a page need. */
  modules(route: Route): GuardEntry[]
  /** Undefined when they are there, else a promise that never rejects: a guard whose code cannot be had refuses. */
  ready(route: Route): Promise<unknown> | undefined
  /** Forgets that code could not be had. */
  tryAgain(): void
}

export function createGuards(loader: Loader, map: () => PageMap): Guards {
  /** Entries whose code could not be had, by generation and module. */
  const missing = new Map<string, unknown>()
  const key = ({ generation, id }: GuardEntry) => `${generation} ${id}`
  const self: Guards = {
    find(route, name) {
      const candidates = name.includes('.') ? [name] : [`${route.slug}.${name}`, movedGuards.get(name) ?? '']
      for (const full of candidates) {
        const entry = guardEntry(map(), full)
        if (entry) return { entry, name: full }
      }
      return undefined
    },
    peek(entry) {
      const module = loader.peek(entry.slug, entry.generation, entry.module)
      if (module) return { guard: module.default }
      return missing.has(key(entry)) ? { error: missing.get(key(entry)) } : undefined
    },
    modules: (route) => route.guards.filter((name) => !Object.hasOwn(guards, name)).flatMap((name) => self.find(route, name)?.entry ?? []),
    ready(route) {
      const awaited = self.modules(route).filter((entry) => !self.peek(entry))
      if (awaited.length === 0) return undefined
      return Promise.all(
        awaited.map((entry) =>
          loader.load(entry.slug, entry.generation, entry.module).catch((error) => void missing.set(key(entry), error)),
        ),
      )
    },
    tryAgain: () => missing.clear(),
  }
  return self
}
