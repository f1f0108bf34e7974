import { notifyNodes } from '../db/revisions.ts'
import type { KernelDatabase } from '../db/transactions.ts'

/** What is told to open tabs. */
export interface Push {
  id: string
  topic: string
  payload: unknown
}

/** Pushes of all nodes to the tabs of this one; kept nowhere. */
export interface Pushes {
  /** After the current transaction, on every node. @throws when it is too much for one push */
  send(push: Push): Promise<void>
  /** @returns what ends it */
  on(fn: (push: Push) => void): () => void
  /** Takes what another node has said. @returns false for what is no push */
  receive(message: string): boolean
  /** Pushes may have been lost on their way here. */
  missed(): void
  /** `fn` runs when they may have been. @returns what ends it */
  onMissed(fn: () => void): () => void
}

/** A notification of PostgreSQL holds 8,000 bytes. */
const MOST_BYTES = 4_000
const PREFIX = 'push '

/** @param owner name of this process among the nodes */
export function createPushes(database: KernelDatabase, owner: string): Pushes {
  const listeners = new Set<(push: Push) => void>()
  const missedListeners = new Set<() => void>()
  const tell = (push: Push) => {
    for (const listener of listeners) listener(push)
  }
  return {
    async send(push) {
      const text = JSON.stringify({ owner, ...push })
      if (Buffer.byteLength(text) > MOST_BYTES)
        throw new Error(`A push of ${push.id} is larger than ${MOST_BYTES} bytes: tabs ask a call for the rest`)
      if (database.dialect === 'postgres') await database.join((tx) => notifyNodes(tx, 'postgres', PREFIX + text))
      database.afterCommit(() => tell(push))
    },
    on(fn) {
      listeners.add(fn)
      return () => void listeners.delete(fn)
    },
    receive(message) {
      if (!message.startsWith(PREFIX)) return false
      const { owner: from, ...push } = JSON.parse(message.slice(PREFIX.length)) as Push & { owner: string }
      if (from !== owner) tell(push)
      return true
    },
    missed() {
      for (const listener of missedListeners) listener()
    },
    onMissed(fn) {
      missedListeners.add(fn)
      return () => void missedListeners.delete(fn)
    },
  }
}
