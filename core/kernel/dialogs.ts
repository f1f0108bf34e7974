import type { Api } from '@stoa/sdk/web'
import { atom } from 'jotai'
import type { ComponentType } from 'react'
import type { Store } from './store.ts'

/** A dialog that a tap shows. */
export interface ShownDialog {
  id: number
  slug: string
  // biome-ignore lint/suspicious/noExplicitAny: the dialog says what it takes
  Component: ComponentType<any>
  props: object
  /** Calls of the dialog are not seen by the tap that shows it. */
  api: Api
  /** Undefined: nobody answers. */
  close(answer?: unknown): void
}

/** The first one is shown, the others wait for it. */
export const dialogsAtom = atom<ShownDialog[]>([])

let lastId = 0

/** Resolves to the answer; to undefined when the dialog is closed or the signal is aborted. */
export function showDialog(store: Store, dialog: Omit<ShownDialog, 'id' | 'close'>, signal: AbortSignal): Promise<unknown> {
  if (signal.aborted) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    const id = ++lastId
    const close = (answer?: unknown) => {
      signal.removeEventListener('abort', onAbort)
      store.set(dialogsAtom, (all) => all.filter((one) => one.id !== id))
      resolve(answer)
    }
    const onAbort = () => close()
    signal.addEventListener('abort', onAbort)
    store.set(dialogsAtom, (all) => [...all, { ...dialog, id, close }])
  })
}
