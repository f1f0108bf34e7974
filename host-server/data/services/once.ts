import { createHash } from 'node:crypto'
import type { Once } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import type { KernelTables } from '../db/tables.ts'
import type { KernelDatabase } from '../db/transactions.ts'

/** Of one plugin. */
const MOST = 20_000
const LONGEST_VALUE = 8192
/** So many make room at a time. */
const AT_ONCE = 1000

/** What plugins keep for a short time; on every node the same. */
export interface ShortLived {
  of(slug: string): Once
  clean(): Promise<void>
}

/** Rows of any length of key: what is stored is its hash. */
export function createShortLived(database: KernelDatabase, now: () => number): ShortLived {
  const keyOf = (kind: 'value' | 'count' | 'group', key: string) => createHash('sha256').update(`${kind}\n${key}`).digest('base64url')

  /** Those that end first make room, but never the one that was just stored. */
  async function makeRoom(tx: Kysely<KernelTables>, slug: string, key: string, most: number, group?: string): Promise<void> {
    let others = tx.selectFrom('kernel__once').select('key').where('slug', '=', slug).where('key', '!=', key)
    if (group !== undefined) others = others.where('group_name', '=', keyOf('group', group))
    const late = others
      .orderBy('expires_at', 'desc')
      .orderBy('key')
      .limit(AT_ONCE)
      .offset(Math.max(0, most - 1))
    await tx.deleteFrom('kernel__once').where('slug', '=', slug).where('key', 'in', late).execute()
  }

  return {
    of: (slug) => ({
      async keep(name, value, { seconds, group, most = MOST }) {
        const text = JSON.stringify(value)
        if (text.length > LONGEST_VALUE) throw new Error(`${slug} keeps at most ${LONGEST_VALUE} characters under a key`)
        const key = keyOf('value', name)
        const row = { value: text, n: 0, group_name: group === undefined ? '' : keyOf('group', group), expires_at: now() + seconds }
        await database.write(async (tx) => {
          await tx
            .insertInto('kernel__once')
            .values({ slug, key, ...row })
            .onConflict((conflict) => conflict.columns(['slug', 'key']).doUpdateSet(row))
            .execute()
          if (group !== undefined) await makeRoom(tx, slug, key, most, group)
          await makeRoom(tx, slug, key, MOST)
        })
      },

      async take<T>(name: string) {
        // One statement: of several at once one finds the row.
        const row = await database.write((tx) =>
          tx
            .deleteFrom('kernel__once')
            .where('slug', '=', slug)
            .where('key', '=', keyOf('value', name))
            .returning(['value', 'expires_at'])
            .executeTakeFirst(),
        )
        return row && row.expires_at > now() ? (JSON.parse(row.value) as T) : undefined
      },

      async count(name, { seconds }) {
        const [key, at] = [keyOf('count', name), now()]
        return await database.write(async (tx) => {
          const { n } = await tx
            .insertInto('kernel__once')
            .values({ slug, key, group_name: '', value: '', n: 1, expires_at: at + seconds })
            .onConflict((conflict) =>
              conflict.columns(['slug', 'key']).doUpdateSet((eb) => {
                const isOver = eb('kernel__once.expires_at', '<=', at)
                return {
                  n: eb
                    .case()
                    .when(isOver)
                    .then(1)
                    .else(eb('kernel__once.n', '+', 1))
                    .end(),
                  expires_at: eb
                    .case()
                    .when(isOver)
                    .then(at + seconds)
                    .else(eb.ref('kernel__once.expires_at'))
                    .end(),
                }
              }),
            )
            .returning('n')
            .executeTakeFirstOrThrow()
          if (n === 1) await makeRoom(tx, slug, key, MOST)
          return n
        })
      },
    }),

    async clean() {
      await database.separately((tx) => tx.deleteFrom('kernel__once').where('expires_at', '<=', now()).execute())
    },
  }
}
