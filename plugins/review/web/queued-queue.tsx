import type { PropsOf } from '@stoa/sdk'
import { lazy, Suspense } from 'react'
import type { reviewSlots } from '../shared/api.ts'

const QueuedItem = lazy(() => import('./queued-item.tsx'))

/** The queue of what waits to be published. */
export default function QueuedQueue(props: PropsOf<typeof reviewSlots.queue>) {
  if (props.queue !== 'queued_post') return null
  return (
    <Suspense fallback={null}>
      <QueuedItem {...props} />
    </Suspense>
  )
}
