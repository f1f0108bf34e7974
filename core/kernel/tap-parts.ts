import type { Api, Login, SiteState, Tap, TapContext } from '@stoa/sdk/web'
import type { AppHistory } from '../router/history.ts'
import type { Loader } from './loader.ts'
import type { TapSubject } from './matches.ts'
import type { Store } from './store.ts'
import type { Texts } from './texts.ts'

/** What a running hook wants of its taps. */
export interface RunOptions {
  /** What conditions are held against. */
  subject?: TapSubject
  /** Ends what the taps are doing. */
  signal?: AbortSignal | undefined
  /** Ids of taps that are left out: a tap does not see the calls it makes. */
  skip?: ReadonlySet<string>
  /** Looks at what a tap returned: undefined is no opinion, to throw makes the tap a failed one. `answered`: it asked a person, who answered. */
  accept?(result: unknown, by: { id: string; answered: boolean }): unknown
  /** A tap did not come to an end in time. */
  onLate?(id: string): void
  /** A person was asked and did not answer. */
  onCancel?(): void
}

export interface TapsParts {
  store: Store
  history: AppHistory
  loader: Loader
  texts: Texts
  isServer: boolean
  /** Calls that these taps do not see. */
  api(skip: ReadonlySet<string>): Api
  login(): Login
  session: TapContext['session']
  site(): SiteState
  language(): string
  onFault(slug: string, error: unknown): void
}

/** A tap that can be run: of the map or of a mounted component. */
export interface Runnable {
  id: string
  slug: string
  order: number
  /** Aborted when its plugin or its component has gone. */
  gone: AbortSignal
  load(): Promise<Tap['run']>
}
