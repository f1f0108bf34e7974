import type { TSchema } from 'typebox'
import type { Person } from '../shared/index.ts'
import type { Awaitable } from './route.ts'

/** What a plugin says of its values in a bag. */
export interface ExtensionRules<V, O> {
  /** Shape of a value; members that it does not name are refused. At most 8 KB as JSON. */
  schema: TSchema
  /** Further rules. @returns text keys by member of the value; nothing when all is well */
  check?(value: V, object: O, person: Person): Awaitable<Record<string, string> | undefined | void>
  /** One line for whoever cannot draw the plugin's component: differences, feeds, mails, an index. */
  text?(value: V): string
}

/** The value of one plugin in words. */
export interface BagLine {
  slug: string
  /** What the plugin is called in the reader's language. */
  label: string
  /** What the plugin says of the value; its members by name where it says nothing. */
  text: string
}

/** What the owner of a bag does for it. */
export interface BagOwner {
  /** Takes the values of a plugin away whose data was deleted. May run twice. */
  strip(slug: string): Awaitable<void>
}
