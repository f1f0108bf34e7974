import type { Register, Sign } from 'react-refresh/runtime'

/** Replaced by the build. */
declare const process: { env: { NODE_ENV?: string } }

/** What `npm run dev` brings into a page. */
export interface Development {
  /** Called by the code of plugins for each component. */
  register: Register
  sign: Sign
  /** Components that came in a new version take over from the old, with their state where their hooks are the same. */
  refresh(): void
}

/** Undefined on a served site, and on the server. */
export const development = (): Development | undefined =>
  process.env.NODE_ENV === 'production' ? undefined : (globalThis as { stoaDev?: Development }).stoaDev
