import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import tables from '../migrations/0001-badges.ts'
import { createDefinitions } from '../server/definitions.ts'
import type { Tables } from '../server/tables.ts'

const of = (slug: string, name: string) => ({
  slug,
  value: { name: `${slug}.${name}`, group: 'start' as const, level: 1 as const, single: true, icon: 'award' },
})
const both = [of('badges', 'editor'), of('acme', 'explorer')]

describe('rows of badges', () => {
  let query: Kysely<Tables>
  /** What plugins that are on contribute. */
  let contributed: ReturnType<typeof of>[] = []
  /** As the plugin has them after a start. */
  const started = () =>
    createDefinitions({
      db: { query, write: (fn: (tx: Kysely<Tables>) => Promise<unknown>) => fn(query) },
      host: { contributions: () => contributed, texts: { languages: () => [{ code: 'en_US' }], text: (key: string) => key } },
      plugin: { slug: 'badges' },
    } as never)
  const rows = () => query.selectFrom('badges__badge').select(['name', 'past_after', 'is_contributed']).orderBy('name').execute()

  beforeEach(async () => {
    query = new Kysely({ dialect: new SqliteDialect({ database: new SQLite(':memory:') }) })
    await tables.up(query, 'sqlite')
    contributed = both
    await started().store()
    await query.updateTable('badges__badge').set({ past_after: null }).execute()
  })
  afterEach(() => query.destroy())

  it('stay as they are over a start, during which this plugin is not on yet', async () => {
    const definitions = started()
    for (contributed of [[], [of('acme', 'explorer')], [...both]]) await definitions.store()
    expect(await rows()).toEqual([
      { name: 'acme.explorer', past_after: null, is_contributed: 1 },
      { name: 'badges.editor', past_after: null, is_contributed: 1 },
    ])
  })

  it('are looked up again for one that was gone', async () => {
    const definitions = started()
    contributed = [of('badges', 'editor')]
    await definitions.store()
    expect(await rows()).toMatchObject([{ is_contributed: 0 }, { is_contributed: 1 }])
    contributed = [...both]
    await definitions.store()
    expect(await rows()).toMatchObject([
      { past_after: 0, is_contributed: 1 },
      { past_after: null, is_contributed: 1 },
    ])
  })
})
