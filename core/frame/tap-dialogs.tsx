import { lazy, Suspense } from 'react'
import { useValue } from '../kernel/core.ts'
import { dialogsAtom } from '../kernel/dialogs.ts'

const TapDialog = lazy(() => import('./tap-dialog.tsx'))

/** Dialogs of taps, one at a time. What draws them is fetched with the first. */
export function TapDialogs() {
  const [first] = useValue(dialogsAtom)
  if (!first) return null
  return (
    <Suspense fallback={null}>
      <TapDialog key={first.id} dialog={first} />
    </Suspense>
  )
}
