import type { Kysely, SelectQueryBuilder } from 'kysely'
import type { Ids, Provided } from '../server/plugin.ts'
import type { ReadToken, ServiceToken } from '../shared/index.ts'
import type { SeedText } from './seed-text.ts'

/**
 * Fills a plugin's tables with realistic data, for trying a site out and for measuring it: default export of `server/seed.ts`.
 * `npm run seed -- --posts N` starts the site, runs the seeders of all active plugins in their `order`, and commits after each. Write the
 * plugin's own tables only, whole rows with the counters that services would have kept, hundreds at a time with {@link SeedContext.insert}:
 *
 *     export default defineSeeder({
 *       order: 30,
 *       async seed({ seeded, posts, random, text, now, insert }) {
 *         const people = seeded<{ people: number }>('accounts').people
 *         await insert('experiences__post', Array.from({ length: posts }, () => ({ title: text.title(), … })))
 *         return { posts }
 *       },
 *     })
 */
export interface Seeder {
  /** Lower runs first: people 10, vocabularies such as tags 20, posts 30, replies to them 40, reactions 50, indexes 90. */
  order: number
  /**
   * @returns facts for the seeders after it and for the last line that the command prints, such as `{ posts: 100000 }`;
   * what other seeders need but nobody wants to read goes below `internal`
   */
  seed(context: SeedContext): Promise<Record<string, unknown>>
}

export interface SeedContext {
  /** The transaction of this seeder. */
  // biome-ignore lint/suspicious/noExplicitAny: tables of any plugin
  db: Kysely<any>
  dialect: 'sqlite' | 'postgres'
  /** Number of posts asked for; everything else follows from it in a proportion that looks like life. */
  posts: number
  /** Number from 0 to below 1, the same row of numbers in every run. */
  random(): number
  /** Whole number from 0 to below `below`; small ones are much more frequent (people who write a lot, posts that are read a lot). */
  skewed(below: number): number
  text: SeedText
  ids: Ids
  /** Unix seconds; times of what is seeded lie before it. */
  now: number
  /** Stores rows in as few statements as fit. All rows must have the same members. */
  insert(table: string, rows: Record<string, unknown>[]): Promise<void>
  /** Highest id in a table, 0 for an empty one: seeding goes on behind what is there. Rows are given ids of their own from there. */
  lastId(table: string): Promise<number>
  /** Lets the database go on counting behind the ids that were given. */
  continueIds(table: string): Promise<void>
  /** Makes people known to the kernel, activated, all with the password `seed-password`. @returns their ids in the same order */
  principals(logins: string[]): Promise<number[]>
  /** Runs a read function, in the transaction of this seeder. */
  read<P, R>(token: ReadToken<P, R>, params: P): Promise<R>
  /** Active providers of a service. */
  services<T>(token: ServiceToken<T>): Provided<T>[]
  /** What another plugin's seeder returned; `{}` when it is off or has none. */
  seeded<T extends object = Record<string, unknown>>(slug: string): Partial<T>
  log(message: string): void
}

export function defineSeeder(seeder: Seeder): Seeder {
  return seeder
}

const BATCH = 5000

/**
 * What a seeder wrote, for the seeders after it: a million rows do not fit in memory.
 * @param rows selects the rows to walk; conditions, order and limit are added
 * @param first lowest id
 * @param view what others see of a row
 * @returns some at once, in the order of their ids
 */
export async function* inBatches<Row extends { id: number }, View>(
  // biome-ignore lint/suspicious/noExplicitAny: tables of any plugin
  rows: SelectQueryBuilder<any, any, Row>,
  first: number,
  view: (row: Row) => View,
): AsyncGenerator<View[]> {
  for (let from = first; ; ) {
    const batch = await rows.where('id', '>=', from).orderBy('id').limit(BATCH).execute()
    const last = batch.at(-1)
    if (!last) return
    from = last.id + 1
    yield batch.map(view)
  }
}
