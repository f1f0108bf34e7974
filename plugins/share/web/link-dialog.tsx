import { lazy, Suspense } from 'react'
import type { ShownLink } from './use-share.ts'

const Content = lazy(() => import('./link-dialog-content.tsx'))

/** The link to look at; fetched when it is first shown. */
export function LinkDialog(props: ShownLink & { onClose(): void }) {
  return (
    <Suspense fallback={null}>
      <Content {...props} />
    </Suspense>
  )
}
