import { lazy, Suspense } from 'react'
import { useValue } from '../kernel/core.ts'
import { confirmsAtom } from '../kernel/feedback.ts'

const ConfirmDialog = lazy(async () => ({ default: (await import('@stoa/sdk/ui/dialog')).ConfirmDialog }))

/** Questions that wait for an answer, the last one on top. What draws them is fetched with the first. */
export function Confirms() {
  return useValue(confirmsAtom).map(({ id, answer, ...question }) => (
    <Suspense key={id} fallback={null}>
      <ConfirmDialog open {...question} onConfirm={() => answer(true)} onCancel={() => answer(false)} />
    </Suspense>
  ))
}
