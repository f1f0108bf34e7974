import type { FullText, ServerContext, Wanted } from '@stoa/sdk/server'
import { oneAtATime } from '@stoa/sdk/server'
import type { SearchEngine, SearchSource, searchEngine, searchSource } from '../shared/api.ts'
import type { Progress } from './progress.ts'
import { ENGINE } from './progress.ts'
import type { SearchTables } from './tables.ts'

export interface RebuildNeeds {
  ctx: ServerContext<SearchTables>
  sources: Wanted<typeof searchSource>
  engine: Wanted<typeof searchEngine>
  /** Takes in what a source says of these now. */
  refresh(kind: string, ns: number[]): Promise<void>
  index: FullText
  progress: Progress
}

/** Ids per step: a step is one short transaction, so that writers never wait long. */
const BATCH = 100

/** Fills the index from its sources in short steps; how far it came is stored, so that it goes on after a restart. */
export function createRebuild({ ctx, sources, engine, refresh, index, progress }: RebuildNeeds) {
  /** The engine that has everything: whatever comes after it, even the same plugin again, is another one. */
  let filled: SearchEngine | undefined

  /** @returns false when the kind is complete */
  async function step(source: SearchSource, position: number): Promise<boolean> {
    const { kind } = source
    const ns = await source.page(position, BATCH)
    const isLast = ns.length < BATCH
    const upTo = isLast ? Number.MAX_SAFE_INTEGER : (ns.at(-1) as number)
    const known = await ctx.db.query
      .selectFrom('search__document')
      .select('n')
      .where('kind', '=', kind)
      .where('n', '>', position)
      .where('n', '<=', upTo)
      .execute()
    await refresh(kind, [...new Set([...ns, ...known.map(({ n }) => n)])])
    await progress.advance(kind, position, { position: ns.at(-1) ?? position, done: isLast ? 1 : 0 })
    return !isLast
  }

  /** @returns whether there was anything to do */
  async function fill(source: SearchSource): Promise<boolean> {
    let steps = 0
    for (let at = await progress.of(source.kind); !at?.done; at = await progress.of(source.kind)) {
      steps++
      if (ctx.plugin.signal.aborted || !(await step(source, at?.position ?? 0))) break
      await pause()
    }
    return steps > 0
  }

  /** An engine plugin that came is given all there is. */
  async function noticeEngine(coming: SearchEngine): Promise<void> {
    const isKnown = filled === undefined || filled === coming
    if (isKnown && (await progress.of(ENGINE))) return
    await coming.clear()
    for (const { service } of sources.current) await progress.restart(service.kind)
    await progress.complete(ENGINE)
  }

  async function run(): Promise<void> {
    const present = engine.current
    if (present) await noticeEngine(present)
    let wasFilled = false
    for (const { service } of sources.current) wasFilled = (await fill(service)) || wasFilled
    if (wasFilled) await index.compact(async (work) => !ctx.plugin.signal.aborted && (await ctx.db.write(work)))
    if (!ctx.plugin.signal.aborted) filled = present
  }

  return {
    /** Indexes what never was, was marked, or was interrupted. Ends early when the plugin stops. */
    catchUp: oneAtATime(run),
    /** True once the engine plugin that is on has everything. */
    engineIsReady: (): boolean => filled !== undefined && engine.current === filled,
  }
}

/** Lets requests in between two steps. */
const pause = () => new Promise<void>((resolve) => setImmediate(resolve))
