import type { PropsOf } from '@stoa/sdk'
import { lazy, Suspense } from 'react'
import type { reviewSlots } from '../../review/shared/api.ts'

const FlaggedItem = lazy(() => import('./flagged-item.tsx'))

/** The queue of what is flagged. */
export default function FlaggedQueue(props: PropsOf<typeof reviewSlots.queue>) {
  if (props.queue !== 'flagged_post') return null
  return (
    <Suspense fallback={null}>
      <FlaggedItem {...props} />
    </Suspense>
  )
}
