import { useLogin } from '@stoa/sdk/web'
import { lazy, Suspense } from 'react'

const Waiting = lazy(() => import('./waiting.tsx'))

/** In the header of staff, while something waits for them. */
export default function ReviewLink() {
  const { isStaff } = useLogin()
  return isStaff ? (
    <Suspense fallback={null}>
      <Waiting />
    </Suspense>
  ) : null
}
