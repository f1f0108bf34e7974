import type { CurrentPerson, Login } from '@stoa/sdk/web'
import { localStore } from '@stoa/sdk/web'
import { atom } from 'jotai'
import type { Transport } from './call.ts'
import { call, isApiError } from './call.ts'
import type { Store } from './store.ts'

interface SessionState {
  person: CurrentPerson | null
  /** False until the first answer; true at once when there is no token. */
  known: boolean
}

export const sessionAtom = atom<SessionState>({ person: null, known: false })
/** Derived login state of the specification's section 4. */
export const loginAtom = atom((get) => deriveLogin(get(sessionAtom)))

const TOKEN = 'token'
const RETURN = 'return'
const THROTTLE_MS = 10_000

/** mail_status: 1 activated, 2 not; role_id: 1 user, 2 admin, 3 moderator. */
export function deriveLogin({ person, known }: SessionState): Login {
  const isLoggedIn = person !== null
  const isActivated = isLoggedIn && person.mail_status === 1
  const isForbidden = isLoggedIn && person.status === 'suspended'
  const isNormal = isActivated && !isForbidden
  const isAdmin = isNormal && person.role_id === 2
  const isModerator = isNormal && person.role_id === 3
  return {
    person,
    known,
    isLoggedIn,
    isActivated,
    isForbidden,
    isNormal,
    isAdmin,
    isModerator,
    isInactive: isLoggedIn && person.mail_status === 2,
    isStaff: isAdmin || isModerator,
  }
}

export interface Session {
  token(): string | undefined
  setToken(token: string): void
  /** Forgets the person, and the token unless it is kept. */
  clear(keepToken?: boolean): void
  /** Asks who the token belongs to, at most every 10 s unless forced. @param spare another token, where this browser keeps none that is worth anything */
  refresh(force?: boolean, spare?: () => Promise<string | undefined>): Promise<void>
  rememberAddress(address: string): void
  takeAddress(): string | undefined
}

export function createSession(
  store: Store,
  transport: Transport,
  options: { personCall(): string | undefined; language(): string; isServer: boolean },
): Session {
  let last = 0
  let running: Promise<void> | undefined
  const token = () => (options.isServer ? undefined : localStore.get<string>(TOKEN))

  const forgetPerson = () => store.set(sessionAtom, { person: null, known: true })

  async function ask(spare?: () => Promise<string | undefined>): Promise<void> {
    const own = token()
    const url = options.personCall()
    if (!url) return forgetPerson()
    if (!own) {
      const found = await spare?.()
      if (!found) return forgetPerson()
      if (token() === undefined) localStore.set(TOKEN, found)
      return ask()
    }
    let person: CurrentPerson | null = null
    try {
      person = (await call(transport, { method: 'GET', url, language: options.language(), token: own })) as CurrentPerson | null
    } catch (error) {
      // The person is cleared but the token kept, unless the server says that it is worth nothing.
      if (!isApiError(error) || error.code !== 401) return forgetPerson()
    }
    if (token() !== own) return
    if (person) {
      localStore.set(TOKEN, own)
      return store.set(sessionAtom, { person, known: true })
    }
    localStore.remove(TOKEN)
    return ask(spare)
  }

  return {
    token,
    setToken: (value) => localStore.set(TOKEN, value),
    clear(keepToken = false) {
      if (!keepToken) localStore.remove(TOKEN)
      forgetPerson()
    },
    refresh(force = false, spare) {
      if (running && !force) return running
      if (!force && Date.now() - last < THROTTLE_MS) return Promise.resolve()
      last = Date.now()
      const mine = ask(spare).finally(() => {
        if (running === mine) running = undefined
      })
      running = mine
      return mine
    },
    rememberAddress: (address) => localStore.set(RETURN, address),
    takeAddress() {
      const address = localStore.get<string>(RETURN)
      localStore.remove(RETURN)
      return address
    },
  }
}
