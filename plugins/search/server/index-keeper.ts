import type { FullText, ServerContext, Wanted } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { SearchDocument, SearchSource, searchEngine, searchSource } from '../shared/api.ts'
import { documentForEngines } from './earlier-contract.ts'
import { completeDocuments } from './read-tokens.ts'
import { ENGINE } from './rebuild.ts'
import { removeDocuments, storeDocuments } from './store-documents.ts'
import type { SearchTables } from './tables.ts'
import { PARENT_N } from './tables.ts'

/** A post may have thousands of answers: in one transaction nobody else would get a turn for 200 ms (measured with 4,000). */
const PARTS_AT_ONCE = 50

export interface KeeperNeeds {
  ctx: ServerContext<SearchTables>
  sources: Wanted<typeof searchSource>
  engine: Wanted<typeof searchEngine>
  index: FullText
}

/** Keeps the index equal to what the sources have. Everything it does may be done twice. */
export function createIndexKeeper({ ctx, sources, engine, index }: KeeperNeeds) {
  const sourceOf = (kind: string): SearchSource | undefined => sources.current.find(({ service }) => service.kind === kind)?.service

  /** Takes in what sources say of these objects now. Unknown ones leave the index, parts follow what they belong to. */
  async function refresh(kind: string, ns: number[]): Promise<void> {
    const source = sourceOf(kind)
    if (!source || ns.length === 0) return
    // Read and stored in one turn: of two events about one post, the later one must not store what the earlier one read.
    const { documents, gone, changed } = await ctx.db.write(async (tx) => {
      await takeTurn(tx)
      const documents = await ctx.read(completeDocuments, { documents: await source.documents([...new Set(ns)]) })
      const found = new Set(documents.map(({ n }) => n))
      const gone = ns.filter((n) => !found.has(n))
      const changes = await storeDocuments(tx, index, documents)
      await removeDocuments(tx, index, await idsOf(kind, gone))
      if (!engine.current) await tx.deleteFrom('search__progress').where('kind', '=', ENGINE).execute()
      return { documents, gone, changed: changes.filter(({ changed }) => changed).map(({ document }) => document.n) }
    })
    await engine.current?.store([...documents, ...gone.map((n) => nothing(kind, n))].map(documentForEngines))
    for (const [partKind, parts] of await partsOf(kind, changed))
      for (let at = 0; at < parts.length; at += PARTS_AT_ONCE) await refresh(partKind, parts.slice(at, at + PARTS_AT_ONCE))
  }

  /** PostgreSQL has many writers, SQLite one. */
  async function takeTurn(tx: Kysely<SearchTables>): Promise<void> {
    if (ctx.db.dialect === 'postgres') await sql`select pg_advisory_xact_lock(hashtext('search__document'))`.execute(tx)
  }

  async function idsOf(kind: string, ns: number[]): Promise<number[]> {
    if (ns.length === 0) return []
    const rows = await ctx.db.query.selectFrom('search__document').select('id').where('kind', '=', kind).where('n', 'in', ns).execute()
    return rows.map(({ id }) => id)
  }

  /** Numbers of what belongs to these objects, by kind. */
  async function partsOf(kind: string, ns: number[]): Promise<Map<string, number[]>> {
    if (ns.length === 0) return new Map()
    const rows = await ctx.db.query
      .selectFrom('search__document')
      .select(['kind', 'n'])
      .where(PARENT_N, 'in', ns)
      .where('parent_kind', '=', kind)
      // What stands for itself belongs to itself.
      .where((eb) => eb.or([eb('kind', '!=', kind), eb('n', '!=', eb.ref(PARENT_N))]))
      .execute()
    return new Map([...Map.groupBy(rows, (row) => row.kind)].map(([partKind, list]) => [partKind, list.map(({ n }) => n)]))
  }

  return { refresh }
}

const nothing = (kind: string, n: number): SearchDocument => ({
  kind,
  n,
  authorId: 0,
  title: '',
  text: '',
  tags: [],
  votes: 0,
  answers: -1,
  views: 0,
  accepted: false,
  createdAt: 0,
  activeAt: 0,
  visible: false,
})
