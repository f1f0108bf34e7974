import { call, services } from '@stoa/sdk'
import type * as schemas from './schemas.ts'

export interface Figure {
  /** Unique among all, in the words of the protocol where it has one: `answer_count`. */
  name: string
  /** Text key of the `server` branch: what is counted. Without one it is for the protocol's call only. */
  text?: string
  count: number
  /** Where the things themselves are to be seen. */
  path?: string
}

/** What came, by day. */
export interface Activity {
  /** Unique among all. */
  name: string
  /** Text key of the `server` branch. */
  text: string
  /**
   * One statement along an index. @param since unix seconds. @param offset seconds that the site's clock is ahead: what was made at `at` belongs to day
   * `(at + offset) / 86400`, rounded down. @returns days with something, in any order
   */
  perDay(since: number, offset: number): Promise<readonly { day: number; count: number }[]>
}

/** A plugin counts what it keeps. */
export interface Statistics {
  /** Place among the others; what has none comes last. */
  order?: number
  figures(): Promise<readonly Figure[]>
  activity?: Activity
}
export const statistics = services<Statistics>('dashboard.statistics')

/** Something that somebody should look at. */
export interface Matter {
  /** Text key of the `server` branch: a whole sentence. */
  text: string
  params?: Record<string, unknown>
  tone: 'info' | 'warning' | 'danger'
  /** Where something can be done about it. */
  path?: string
}
/** What there is to be looked at now; cheap, since it is asked for with each view. */
export const matters = services<{ look(): Promise<readonly Matter[]> }>('dashboard.matters')

export const dashboardCalls = {
  info: call.get<typeof schemas.info>('dashboard', { admin: true }),
  overview: call.get<typeof schemas.overview>('dashboard/overview', { admin: true }),
  activity: call.get<typeof schemas.activity>('dashboard/activity', { admin: true }),
}
