import { AsyncLocalStorage } from 'node:async_hooks'

const storage = new AsyncLocalStorage<true>()

/** Whether what runs now is a read that others should not have to wait for: carried through every await. */
export const slowLane = {
  run: <R>(read: () => R): R => storage.run(true, read),
  isHere: (): boolean => storage.getStore() ?? false,
}
