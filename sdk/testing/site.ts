import type { PluginAdmin } from '../administration/index.ts'
import type { PersonState, RoleId } from '../server/index.ts'
import type { SentMail } from './mail.ts'
import type { TestPerson } from './person.ts'

/** A running site, the real one: kernel, database, routes over HTTP. Only clock and mail are stand-ins. */
export interface Site {
  url: string
  /** Data directory of this run; gone after `close`. */
  dataDir: string
  database: 'sqlite' | 'postgres'
  plugins: PluginAdmin
  /** The person the site was installed with. */
  admin(): Promise<TestPerson>
  moderator(name?: string): Promise<TestPerson>
  /** Activated, unless `state` says otherwise. A second call with the same name gives the same person. */
  member(name?: string, state?: PersonState): Promise<TestPerson>
  visitor(): TestPerson
  /** What was mailed so far. */
  mail(): Promise<SentMail[]>
  /** Switches a plugin as the admin does; `true` on, `false` off, whatever goes along with it. */
  switch(slug: string, on: boolean): Promise<void>
  /** Resolves when events are delivered and jobs are done. */
  idle(): Promise<void>
  /** Takes a rebuilt plugin in place of the running one. */
  reload(slug: string): Promise<void>
  /** Moves the site's clock forward. */
  advance(seconds: number): void
  /** Everything that was logged as an error. */
  errors: string[]
  /** Everything that was logged, whatever its level: a line each, with its details. */
  logged: string[]
  /** Stops the site and starts it again on the same data, perhaps with other plugins. */
  restart(changes?: { leaveOut?: string[] }): Promise<void>
  close(): Promise<void>
}

/** Makes somebody known to the site, or leaves it to the kernel alone. */
export type MakePerson = (site: Site, wish: PersonWish) => Promise<void>

export interface PersonWish {
  name: string
  login: string
  password: string
  role: RoleId
  state: PersonState
}
