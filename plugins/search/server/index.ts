import { job } from '@stoa/sdk'
import { defineServerPlugin } from '@stoa/sdk/server'
import { searchEngine, searchFinder, searchSource, touched } from '../shared/api.ts'
import { createFinder } from './finder.ts'
import { AT_ONCE, createIndexKeeper } from './index-keeper.ts'
import { createProgress } from './progress.ts'
import { createRebuild } from './rebuild.ts'
import { searchRoutes } from './routes.ts'
import { textIndexOf } from './text-index.ts'

const catchUp = job<Record<string, never>>('search.catchUp')
/** Seconds after which a source that was away is looked for again; one that comes later is found by the timer. */
const WHILE_A_SOURCE_IS_REPLACED = 2

export default defineServerPlugin({
  wants: { sources: searchSource, engine: searchEngine },
  provides: { finder: searchFinder },
  async activate({ sources, engine }, ctx) {
    const index = textIndexOf(ctx.db.dialect)
    const progress = createProgress(ctx.db)
    const catchUpSoon = (seconds = 0) => ctx.jobs.enqueue(catchUp, {}, { key: 'search.catchUp', runAt: ctx.now() + seconds })
    const { refresh, refreshAll } = createIndexKeeper({
      ctx,
      sources,
      engine,
      index,
      progress,
      onMissed: () => catchUpSoon(WHILE_A_SOURCE_IS_REPLACED),
    })
    const rebuild = createRebuild({ ctx, sources, engine, refresh, index, progress })
    const kinds = () => sources.current.map(({ service }) => service.kind)
    const finder = createFinder({ ctx, engine, kinds, engineIsReady: rebuild.engineIsReady })
    ctx.routes(searchRoutes({ ctx, finder, engine, kinds }))

    ctx.jobs.handle(catchUp, () => rebuild.catchUp())
    const restart = async () => {
      for (const kind of kinds()) await progress.restart(kind)
      await catchUpSoon()
    }
    // Replayed rather than rebuilt after a while off: the newest posts are then found first. A rebuild is for a longer absence.
    ctx.on(touched, refreshAll, { resync: restart, atOnce: AT_ONCE })
    // A source or an engine that came later, or a rebuild that was cut off.
    ctx.jobs.every('search.catchUp', 60, () => rebuild.catchUp())
    await catchUpSoon()
    return { finder }
  },
})
