import { ToastRegion } from '@stoa/sdk/ui/toast-region'
import { useCore, useValue } from '../kernel/core.ts'
import { closeToast, TOAST_MS, toastsAtom } from '../kernel/feedback.ts'

/** Short messages below the header; they go by themselves after 5 s. */
export function Toasts() {
  const { store } = useCore()
  return <ToastRegion toasts={useValue(toastsAtom)} onClose={(id) => closeToast(store, id as number)} durationMs={TOAST_MS} />
}
