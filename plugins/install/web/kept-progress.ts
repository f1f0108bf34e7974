import { localStore } from '@stoa/sdk/web'
import type { DatabaseForm } from './database-fields.tsx'
import type { SiteForm } from './site-fields.tsx'

/** What somebody has typed so far; never a password. */
interface Progress {
  step: number
  database: Partial<DatabaseForm>
  site: Partial<SiteForm>
}

const KEY = 'install:progress'
const HALF_A_DAY_MS = 12 * 60 * 60 * 1000

/** Keeps the wizard's answers in this browser until it is done: the tab, the browser or the server may end before. */
export const keptProgress = {
  read: (): Progress | undefined => localStore.get<Progress>(KEY),
  write({ step, database, site }: Progress): void {
    const { db_password: _, ...there } = database
    const { password: __, ...about } = site
    localStore.set(KEY, { step, database: there, site: about }, HALF_A_DAY_MS)
  },
  forget: (): void => localStore.remove(KEY),
}
