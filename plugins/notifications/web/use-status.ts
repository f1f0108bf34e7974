import type { ReplyOf } from '@stoa/sdk'
import { useApi } from '@stoa/sdk/web'
import { useLive } from '@stoa/sdk/web/live'
import { useEffect, useReducer, useState } from 'react'
import { noticeCalls, noticeLive } from '../shared/api.ts'
import { hear } from './told.ts'

type Status = Pick<ReplyOf<typeof noticeCalls.status>, 'inbox' | 'achievement' | 'badge_award'>

/** Where there is no event stream the server is asked so often; a tab that was out of sight asks when it is seen again. */
const POLL_MS = 30_000
const hasStream = () => 'locks' in navigator && typeof BroadcastChannel !== 'undefined' && typeof EventSource !== 'undefined'

/** What is new for somebody: asked when pushes are heard, so that none is missed, then pushed. */
export function useStatus(personId: string) {
  const calls = useApi()
  const [status, setStatus] = useState<Status>({ inbox: 0, achievement: 0, badge_award: null })
  const [round, askAgain] = useReducer((before: number) => before + 1, 0)

  useEffect(() => {
    let isLatest = true
    const end = hear((now) => {
      isLatest = false
      setStatus(now)
    })
    if (round > 0)
      calls.send(noticeCalls.status, { passingError: true, ignoreServerError: true }).then(
        (found) => isLatest && setStatus(found),
        // What was known stays until the next time.
        () => {},
      )
    return () => {
      isLatest = false
      end()
    }
  }, [calls, round])

  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && askAgain()
    const timer = hasStream() ? undefined : setInterval(look, POLL_MS)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [])

  useLive(
    noticeLive.status,
    personId,
    (now) => {
      // An award has come, or the one that is shown was read elsewhere.
      if (now.achievement !== status.achievement) askAgain()
      else setStatus((before) => ({ ...before, ...now }))
    },
    askAgain,
  )

  const { badge_award: award } = status
  async function onAwardRead(): Promise<void> {
    if (!award) return
    setStatus((before) => ({ ...before, badge_award: null }))
    await calls.send(noticeCalls.readOne, { body: { id: award.notification_id }, passingError: true, ignoreServerError: true })
    askAgain()
  }
  return { ...status, award, onAwardRead }
}
