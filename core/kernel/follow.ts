import type { Preferences } from '@stoa/sdk/web'
import { webHooks } from '@stoa/sdk/web'
import { languageAtom, schemeAtom, siteAtom } from './core-atoms.ts'
import { loginAtom, sessionAtom } from './session.ts'
import type { Store } from './store.ts'
import type { Taps } from './taps.ts'

/** Tells plugins of what happens to session and site. @param isLoggingIn whether the person is logging in just now, in this tab */
export function tellOfSession(store: Store, taps: Taps, isLoggingIn: () => boolean): void {
  let before = store.get(sessionAtom).person
  store.sub(sessionAtom, () => {
    const { person, known } = store.get(sessionAtom)
    if (!known) return
    const last = before
    before = person
    const login = store.get(loginAtom)
    if (person && last?.id === person.id) return taps.tell(webHooks.sessionRefreshed, { login })
    if (last) taps.tell(webHooks.sessionEnded, { person: last })
    if (person) taps.tell(webHooks.sessionOpened, { login, how: isLoggingIn() ? 'login' : 'found' })
  })
}

export function tellOfSite(store: Store, taps: Taps): void {
  let before = store.get(siteAtom)
  store.sub(siteAtom, () => {
    const last = before
    before = store.get(siteAtom)
    if (JSON.stringify(last) !== JSON.stringify(before)) taps.tell(webHooks.siteChanged, { now: before, before: last })
  })
}

/** What the page is shown in. */
export const preferencesOf = (store: Store): Preferences => ({ language: store.get(languageAtom), scheme: store.get(schemeAtom) })
