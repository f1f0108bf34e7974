import type { PropsOf } from '@stoa/sdk'
import { lazy, Suspense } from 'react'
import type { reviewSlots } from '../../review/shared/api.ts'

const Suggestion = lazy(() => import('./suggestion.tsx'))

/** The queue of suggested edits. */
export default function ReviewQueue(props: PropsOf<typeof reviewSlots.queue>) {
  if (props.queue !== 'suggested_post_edit') return null
  return (
    <Suspense fallback={null}>
      <Suggestion {...props} />
    </Suspense>
  )
}
