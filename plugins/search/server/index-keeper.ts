import type { FullText, ServerContext, Wanted } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { SearchDocument, SearchSource, searchEngine, searchSource } from '../shared/api.ts'
import { documentForEngines } from './earlier-contract.ts'
import type { Progress } from './progress.ts'
import { ENGINE } from './progress.ts'
import { completeDocuments } from './read-tokens.ts'
import { removeDocuments, storeDocuments } from './store-documents.ts'
import type { SearchTables } from './tables.ts'
import { PARENT_N } from './tables.ts'

/**
 * What is taken in by one transaction, in which nobody else gets a turn: some 10 ms. A post may have thousands of answers, and 4,000 at once took 200
 * (measured).
 */
export const AT_ONCE = 20

export interface KeeperNeeds {
  ctx: ServerContext<SearchTables>
  sources: Wanted<typeof searchSource>
  engine: Wanted<typeof searchEngine>
  index: FullText
  progress: Progress
  /** Objects were left out that the next catch-up takes in. */
  onMissed(): Promise<void>
}

/** Keeps the index equal to what the sources have. Everything it does may be done twice. */
export function createIndexKeeper({ ctx, sources, engine, index, progress, onMissed }: KeeperNeeds) {
  const sourceOf = (kind: string): SearchSource | undefined => sources.current.find(({ service }) => service.kind === kind)?.service

  /** Takes in what sources say of these objects now. Unknown ones leave the index, parts follow what they belong to. */
  async function refresh(kind: string, ns: number[]): Promise<void> {
    const source = sourceOf(kind)
    if (ns.length === 0) return
    // Switched off before the index had heard of what it told: nobody tells it again when it returns.
    if (!source) return (await progress.goBack(kind, Math.min(...ns) - 1)) ? await onMissed() : undefined
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
    await refreshAll(await partsOf(kind, changed))
  }

  /** The same for objects of any kinds, some in a transaction each. */
  async function refreshAll(objects: readonly { kind: string; n: number }[]): Promise<void> {
    for (const [kind, ofKind] of Map.groupBy(objects, (object) => object.kind)) {
      const ns = ofKind.map(({ n }) => n)
      for (let at = 0; at < ns.length; at += AT_ONCE) await refresh(kind, ns.slice(at, at + AT_ONCE))
    }
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

  /** What belongs to these objects. */
  async function partsOf(kind: string, ns: number[]): Promise<{ kind: string; n: number }[]> {
    if (ns.length === 0) return []
    return await ctx.db.query
      .selectFrom('search__document')
      .select(['kind', 'n'])
      .where(PARENT_N, 'in', ns)
      .where('parent_kind', '=', kind)
      // What stands for itself belongs to itself.
      .where((eb) => eb.or([eb('kind', '!=', kind), eb('n', '!=', eb.ref(PARENT_N))]))
      .execute()
  }

  return { refresh, refreshAll }
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
