import type { ServerContext, Visit } from '@stoa/sdk/server'
import { kernelHooks } from '@stoa/sdk/server'
import { postStatus } from '../../shared/api.ts'
import { copyColumn } from './groups.ts'
import { createOpened } from './opened.ts'
import { postNumber } from './public-id.ts'
import type { Tables } from './tables.ts'

/** Addresses of a post's page, with or without its title. */
const PAGE = /^\/experiences\/([^/]+)/

const remembered = 100_000

/**
 * Counts a reader once per post and period. Views are collected in memory and written in batches: a read costs no write, and a killed process
 * loses some seconds of them.
 */
export function createViews(ctx: ServerContext<Tables>, { flushSeconds = 5, periodSeconds = 6 * 3600 } = {}) {
  const opened = createOpened(ctx)
  let seen = new Set<string>()
  let seenBefore = new Set<string>()
  let periodStart = ctx.now()
  let waiting = new Map<number, number>()

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

  const flush = async (): Promise<void> => {
    await opened.flush()
    if (waiting.size === 0) return
    const batch = waiting
    waiting = new Map()
    const byStep = new Map<number, number[]>()
    for (const [n, step] of batch) byStep.set(step, [...(byStep.get(step) ?? []), n])
    await ctx.db.write(async (tx) => {
      for (const [step, ns] of byStep) {
        for (let at = 0; at < ns.length; at += 500) {
          const some = ns.slice(at, at + 500)
          await tx
            .updateTable('experiences__post')
            .set((eb) => ({ view_count: eb('view_count', '+', step) }))
            .where('id', 'in', some)
            .where('status', 'in', [postStatus.available, postStatus.closed])
            .execute()
          await copyColumn(tx, 'view_count', some)
        }
      }
    })
  }

  const timer = setInterval(
    () => void flush().catch((error: Error) => ctx.log.warn('Views were not counted', { error: error.message })),
    flushSeconds * 1000,
  )
  timer.unref()
  ctx.plugin.own(async () => {
    clearInterval(timer)
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
