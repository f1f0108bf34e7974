import type { ServerContext, Visit } from '@stoa/sdk/server'
import { kernelHooks, statement } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import { postStatus } from '../../shared/api.ts'
import { copyColumn } from './groups.ts'
import { createOpened } from './opened.ts'
import { writeInPortions } from './portions.ts'
import { postNumber } from './public-id.ts'
import type { Tables } from './tables.ts'

/** Addresses of a post's page, with or without its title. */
const PAGE = /^\/experiences\/([^/]+)/

const remembered = 100_000

const viewed = statement((db: Kysely<Tables>, { ns, step }: { ns: readonly number[]; step: number }) =>
  db
    .updateTable('experiences__post')
    .set((eb) => ({ view_count: eb('view_count', '+', step) }))
    .where('id', 'in', ns)
    .where('status', 'in', [postStatus.available, postStatus.closed]),
)

/**
 * Counts a reader once per post and period. Views are collected in memory and written in batches: a read costs no write, and a killed process
 * loses some seconds of them.
 */
export function createViews(ctx: ServerContext<Tables>, { flushSeconds = 5, periodSeconds = 6 * 3600 } = {}) {
  const opened = createOpened(ctx)
  let seen = new Set<string>()
  let seenBefore = new Set<string>()
  let periodStart = ctx.now()
  const waiting = new Map<number, number>()

  /** Counts whoever reads: a person, or a visitor by address and browser. Members are remembered. */
  function add(n: number, { person, ip, userAgent }: Pick<Visit, 'person' | 'ip' | 'userAgent'>): void {
    if (person) opened.note(person.id, n)
    const reader = person ? String(person.id) : `${ip} ${userAgent}`
    if (ctx.now() - periodStart > periodSeconds || seen.size >= remembered) {
      seenBefore = seen
      seen = new Set()
      periodStart = ctx.now()
    }
    const key = `${n} ${reader}`
    if (!seen.has(key) && !seenBefore.has(key)) {
      seen.add(key)
      waiting.set(n, (waiting.get(n) ?? 0) + 1)
    }
  }

  let isOver = false
  const isHurried = () => isOver

  async function count(portion: [n: number, step: number][]): Promise<void> {
    await ctx.db.write(async (tx) => {
      for (const [step, rows] of Map.groupBy(portion, ([, views]) => views)) {
        const ns = rows.map(([n]) => n)
        await viewed(tx, { ns, step })
        await copyColumn(tx, 'view_count', ns)
      }
    })
  }

  let writing: Promise<void> | undefined
  /** One after another, or the later would only add pressure. */
  function flush(): Promise<void> {
    writing ??= (async () => {
      await opened.flush(isHurried)
      await writeInPortions(waiting, count, isHurried)
    })().finally(() => {
      writing = undefined
    })
    return writing
  }

  const timer = setInterval(
    () => void flush().catch((error: Error) => ctx.log.warn('Views were not counted', { error: error.message })),
    flushSeconds * 1000,
  )
  timer.unref()
  ctx.plugin.own(async () => {
    clearInterval(timer)
    isOver = true
    await writing?.catch(() => {})
    await flush()
  })

  ctx.on(kernelHooks.documentServed, (visit) => {
    const n = postNumber(ctx.ids, PAGE.exec(visit.path)?.[1])
    if (n !== undefined) add(n, visit)
  })

  return {
    add,
    /** Views of the post that are not written yet. */
    unwritten: (n: number): number => waiting.get(n) ?? 0,
  }
}
