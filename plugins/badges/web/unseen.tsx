import type { ReplyOf } from '@stoa/sdk'
import { useApi } from '@stoa/sdk/web'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { badgeCalls } from '../shared/api.ts'

const AwardCard = lazy(() => import('./award-card.tsx'))

type Awards = ReplyOf<typeof badgeCalls.unseen>

/** Asks which badges the reader has not been shown, once more in each `round`, and shows them. `onDone`: there are none, or they were closed. */
export function Unseen({ round, onDone }: { round?: number; onDone?(): void }) {
  const api = useApi()
  const [awards, setAwards] = useState<Awards>([])
  const done = useRef(onDone)
  done.current = onDone
  useEffect(() => {
    let isLatest = true
    api.send(badgeCalls.unseen, { passingError: true, ignoreServerError: true }).then(
      (found) => {
        if (!isLatest) return
        setAwards((shown) => [...shown, ...without(found, shown)])
        if (found.length === 0) done.current?.()
      },
      // The next page asks again.
      () => {},
    )
    return () => {
      isLatest = false
    }
  }, [api, round])
  if (awards.length === 0) return null
  const close = () => {
    setAwards([])
    done.current?.()
  }
  return (
    <Suspense fallback={null}>
      <AwardCard key={awards.length} awards={awards} onClose={close} />
    </Suspense>
  )
}

/** What is on the card may not have been told of yet. */
const without = (awards: Awards, shown: Awards) => awards.filter(({ award_id }) => shown.every((one) => one.award_id !== award_id))
