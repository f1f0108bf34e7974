import type { ConfirmOptions, Toast } from '@stoa/sdk/web'
import { atom } from 'jotai'
import type { PageFailure } from '../../sdk/pages/page-state.ts'
import type { Store } from './store.ts'

export interface ShownToast extends Toast {
  id: number
}
export interface ShownConfirm extends ConfirmOptions {
  id: number
  answer(yes: boolean): void
}

export const toastsAtom = atom<ShownToast[]>([])
export const confirmsAtom = atom<ShownConfirm[]>([])
/** Error page in place of the outlet, until the next navigation. */
export const errorAtom = atom<PageFailure | null>(null)

/** Source: specification, section 9. */
export const TOAST_MS = 5000

let lastId = 0

export function showToast(store: Store, toast: Toast): void {
  const id = ++lastId
  store.set(toastsAtom, (toasts) => [...toasts.filter((other) => other.text !== toast.text), { ...toast, id }].slice(-4))
}

export const closeToast = (store: Store, id: number): void => store.set(toastsAtom, (toasts) => toasts.filter((toast) => toast.id !== id))

/** False when it is closed or the signal is aborted. */
export function askConfirm(store: Store, options: ConfirmOptions, signal?: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve(false)
    const id = ++lastId
    const onAbort = () => answer(false)
    const answer = (yes: boolean) => {
      signal?.removeEventListener('abort', onAbort)
      store.set(confirmsAtom, (all) => all.filter((one) => one.id !== id))
      resolve(yes)
    }
    signal?.addEventListener('abort', onAbort)
    store.set(confirmsAtom, (all) => [...all, { ...options, id, answer }])
  })
}
