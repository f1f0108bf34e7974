import type { ReplyOf } from '@stoa/sdk'
import type { noticeCalls } from '../shared/api.ts'

type Status = ReplyOf<typeof noticeCalls.status>

const listeners = new Set<(status: Status) => void>()

/** What a reply in this tab said: the bell need not wait for the push, which may be missed. */
export function say(status: Status): void {
  for (const listener of listeners) listener(status)
}

/** @returns what ends it */
export function hear(listener: (status: Status) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
