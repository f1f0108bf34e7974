import type { ReplyOf } from '@stoa/sdk'
import { useApi, useLogin } from '@stoa/sdk/web'
import { useLive } from '@stoa/sdk/web/live'
import { lazy, Suspense, useEffect, useReducer, useState } from 'react'
import { badgeCalls, badgeLive } from '../shared/api.ts'

const AwardCard = lazy(() => import('./award-card.tsx'))

/** Tells people of a badge they have not been told of: at once, or when they come back. */
export default function AwardWatcher() {
  const { person, isActivated, isForbidden } = useLogin()
  return person && isActivated && !isForbidden ? <Watch key={person.id} id={person.id} /> : null
}

function Watch({ id }: { id: string }) {
  const api = useApi()
  const [unseen, setUnseen] = useState<ReplyOf<typeof badgeCalls.unseen>>([])
  const [round, askAgain] = useReducer((before: number) => before + 1, 0)
  useLive(badgeLive.awarded, id, askAgain)
  useEffect(() => {
    let isLatest = true
    api.send(badgeCalls.unseen, { passingError: true, ignoreServerError: true }).then(
      (awards) => isLatest && setUnseen(awards),
      // The next page asks again.
      () => {},
    )
    return () => {
      isLatest = false
    }
  }, [api, round])
  if (unseen.length === 0) return null
  return (
    <Suspense fallback={null}>
      <AwardCard awards={unseen} onClose={() => setUnseen([])} />
    </Suspense>
  )
}
