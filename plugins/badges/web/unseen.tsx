import type { ReplyOf } from '@stoa/sdk'
import { useApi } from '@stoa/sdk/web'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { badgeCalls } from '../shared/api.ts'

const AwardCard = lazy(() => import('./award-card.tsx'))

/** Asks which badges the reader has not been shown, and shows them. `onDone`: there are none, or they were closed. */
export function Unseen({ onDone }: { onDone?(): void }) {
  const api = useApi()
  const [awards, setAwards] = useState<ReplyOf<typeof badgeCalls.unseen>>([])
  const done = useRef(onDone)
  done.current = onDone
  useEffect(() => {
    let isLatest = true
    api.send(badgeCalls.unseen, { passingError: true, ignoreServerError: true }).then(
      (found) => {
        if (!isLatest) return
        setAwards(found)
        if (found.length === 0) done.current?.()
      },
      // The next page asks again.
      () => {},
    )
    return () => {
      isLatest = false
    }
  }, [api])
  if (awards.length === 0) return null
  const close = () => {
    setAwards([])
    done.current?.()
  }
  return (
    <Suspense fallback={null}>
      <AwardCard awards={awards} onClose={close} />
    </Suspense>
  )
}
