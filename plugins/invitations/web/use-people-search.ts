import { useApi } from '@stoa/sdk/web'
import { useEffect, useState } from 'react'
import type { PersonCard } from '../../accounts/shared/api.ts'
import { accountCalls } from '../../accounts/shared/api.ts'

const PAUSE_MS = 200

/** People whose name begins with a text, a moment after it stands still; `isKnown` while the list is the answer to it. */
export function usePeopleSearch(text: string): { people: PersonCard[]; isKnown: boolean } {
  const api = useApi()
  const username = text.trim()
  const [found, setFound] = useState<{ of: string; people: PersonCard[] }>({ of: '', people: [] })
  useEffect(() => {
    if (username === '') return
    const ending = new AbortController()
    const timer = setTimeout(() => {
      api.send(accountCalls.searchPeople, { query: { username }, signal: ending.signal, passingError: true, ignoreServerError: true }).then(
        (people) => setFound({ of: username, people }),
        () => {},
      )
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      ending.abort()
    }
  }, [api, username])
  const isKnown = username !== '' && found.of === username
  // What was found for a beginning of this stays until the answer comes, so that the list does not flicker.
  return { people: username !== '' && username.startsWith(found.of) ? found.people : [], isKnown }
}
