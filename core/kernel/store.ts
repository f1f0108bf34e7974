import type { createStore } from 'jotai'

/** State of one page; on the server, of one request. */
export type Store = ReturnType<typeof createStore>
