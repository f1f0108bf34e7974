import type { ServerContext } from '@stoa/sdk/server'
import type { ProgressRow, SearchTables } from './tables.ts'

/** Row that says an engine plugin was given everything; gone when something was written while none was on. */
export const ENGINE = '@engine'

export type Progress = ReturnType<typeof createProgress>

/** How far the index of each kind is. Every change joins the current transaction. */
export function createProgress(db: ServerContext<SearchTables>['db']) {
  type At = Pick<ProgressRow, 'position' | 'done'>

  /** @param from only where it stands there */
  const set = (kind: string, at: At, from?: number) =>
    db.write(async (tx) => {
      await tx
        .insertInto('search__progress')
        .values({ kind, ...at })
        .onConflict((conflict) => {
          const change = conflict.column('kind').doUpdateSet(at)
          return from === undefined ? change : change.where('search__progress.position', '=', from)
        })
        .execute()
    })

  return {
    of: (kind: string): Promise<At | undefined> =>
      db.query.selectFrom('search__progress').select(['position', 'done']).where('kind', '=', kind).executeTakeFirst(),
    /** From the position that was read before; where it was set back meanwhile, that stands. */
    advance: (kind: string, from: number, to: At) => set(kind, to, from),
    restart: (kind: string) => set(kind, { position: 0, done: 0 }),
    complete: (kind: string) => set(kind, { position: 0, done: 1 }),
    /** What comes after `position` is to be looked at once more. @returns false for a kind that was never indexed: all of it still is to be */
    goBack: (kind: string, position: number): Promise<boolean> =>
      db.write(async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable('search__progress')
          .set((eb) => ({
            position: eb.case().when('position', '>', position).then(position).else(eb.ref('position')).end(),
            done: 0,
          }))
          .where('kind', '=', kind)
          .executeTakeFirstOrThrow()
        return numUpdatedRows > 0n
      }),
  }
}
