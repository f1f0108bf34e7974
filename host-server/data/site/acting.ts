import { AsyncLocalStorage } from 'node:async_hooks'

/** Who decides about plugins. */
export interface Actor {
  /** `page`: the pages of the site; `rescue`: the page for emergencies; `command`: the command line; empty: the site by itself. */
  way: 'page' | 'rescue' | 'command' | ''
  /** Number of the person; 0 where nobody is known. */
  personId: number
}

const storage = new AsyncLocalStorage<Actor>()
const nobody: Actor = { way: '', personId: 0 }

export const acting = {
  now: (): Actor => storage.getStore() ?? nobody,
  /** What `fn` decides is written down as decided by `actor`. */
  as: <R>(actor: Actor, fn: () => R): R => storage.run(actor, fn),
}
