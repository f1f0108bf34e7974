import type { Kysely } from 'kysely'
import { accountErrors } from '../shared/api.ts'
import type { AccountTables } from './tables.ts'

const MOST_RENAMES = 3
const RENAME_SECONDS = 30 * 24 * 3600

type Tx = Kysely<AccountTables>

/** Gives somebody a name for good, in the current transaction. @throws `error.user.username_duplicate` when somebody else has or has had it */
export async function takeName(tx: Tx, person_id: number, username: string, taken_at: number): Promise<void> {
  const username_lower = username.toLowerCase()
  await tx
    .insertInto('accounts__name')
    .values({ username_lower, person_id, taken_at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await tx.selectFrom('accounts__name').select('person_id').where('username_lower', '=', username_lower).executeTakeFirst()
  if (row?.person_id !== person_id) throw accountErrors.username_duplicate({ username })
}

/** Names that nobody else can have any more are given out a few at a time. @throws `error.accounts.username_often` */
export async function refuseManyNames(tx: Tx, personId: number, now: number): Promise<void> {
  const { count } = await tx
    .selectFrom('accounts__name')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('person_id', '=', personId)
    .where('taken_at', '>', now - RENAME_SECONDS)
    .executeTakeFirstOrThrow()
  if (Number(count) >= MOST_RENAMES) throw accountErrors.username_often({ most: MOST_RENAMES })
}

/** Whose name it is or was, as a sub-query. */
export const personNamed = (db: Tx, username: string) =>
  db.selectFrom('accounts__name').select('person_id').where('username_lower', '=', username.toLowerCase())
