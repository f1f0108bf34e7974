import type { ConfirmOptions, Toast } from '@stoa/sdk/web'
import { atom } from 'jotai'
import type { PageFailure } from './page-state.ts'
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

export function askConfirm(store: Store, options: ConfirmOptions): Promise<boolean> {
  return new Promise((resolve) => {
    const id = ++lastId
    const answer = (yes: boolean) => {
      store.set(confirmsAtom, (all) => all.filter((one) => one.id !== id))
      resolve(yes)
    }
    store.set(confirmsAtom, (all) => [...all, { ...options, id, answer }])
  })
}
