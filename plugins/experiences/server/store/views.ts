import type { Dialect, ServerContext, Visit } from '@stoa/sdk/server'
import { kernelHooks, oneAtATime, statement } from '@stoa/sdk/server'
import type { Kysely, SelectQueryBuilder } from 'kysely'
import { sql } from 'kysely'
import { copyColumn } from './groups.ts'
import { createOpened } from './opened.ts'
import { writeInPortions } from './portions.ts'
import { postNumber } from './public-id.ts'
import type { Tables } from './tables.ts'
import { liveStatuses } from './visibility.ts'

/** Addresses of a post's page, with or without its title. */
const PAGE = /^\/experiences\/([^/]+)/

const remembered = 100_000

/** Posts of one transaction that notes views, 5 µs each on SQLite (measured). */
const NOTED = 1000
/**
 * Posts of one transaction that counts them where lists sort by them: on SQLite it takes 0.15 ms a post and writes nine pages, and what nodes
 * remember falls with it.
 */
const SETTLED = 25
const SETTLING_MS = 1000

/** Of numbers that are a post's, or were: visitors can ask for any. What a list is filled up with repeats its last number. */
const noted = statement((db: Kysely<Tables>, { ns, step }: { ns: readonly number[]; step: number }) => {
  const numbers = sql.join(ns.map((n) => sql`(cast(${n} as bigint))`))
  return db
    .insertInto('experiences__view')
    .columns(['post_id', 'n'])
    .expression(
      db
        .selectFrom(sql<{ column1: number }>`(values ${numbers})`.as('viewed'))
        .select(['column1 as post_id', sql<number>`cast(${step} as integer)`.as('n')])
        .distinct()
        .where('column1', '<=', (eb) => eb.selectFrom('experiences__post').select((post) => post.fn.max('id').as('newest')))
        .orderBy('post_id'),
    )
    .onConflict((conflict) => conflict.column('post_id').doUpdateSet((eb) => ({ n: eb('experiences__view.n', '+', eb.ref('excluded.n')) })))
})

const viewed = statement((db: Kysely<Tables>, { ns, step }: { ns: readonly number[]; step: number }) =>
  db
    .updateTable('experiences__post')
    .set((eb) => ({ view_count: eb('view_count', '+', step) }))
    .where('id', 'in', ns)
    .where('status', 'in', liveStatuses),
)

/** Another node settles what it holds. */
const freeRows =
  (dialect: Dialect) =>
  <O>(query: SelectQueryBuilder<Tables, 'experiences__view', O>): SelectQueryBuilder<Tables, 'experiences__view', O> =>
    dialect === 'postgres' ? query.forUpdate().skipLocked() : query

/**
 * Counts a reader once per post and period. A read costs no write: views are collected in memory, a killed process loses some seconds of them. Every few
 * seconds they are noted in a small table, which costs next to nothing; from there they are counted in the posts, a few a second, as that moves
 * each of them in indexes of its own and of its groups. Whoever reads one post is told all of them, lists those that are counted.
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

  /** Whether the table of notes may have any. */
  let mayWait = true

  async function note(portion: [n: number, step: number][]): Promise<void> {
    // Each in one of its own, in one order: two nodes at once do not wait for each other.
    for (const [step, ns] of byStep(portion)) await ctx.db.write((tx) => noted(tx, { ns, step }), { shown: false })
    mayWait = true
  }

  /** Where the next portion begins: in turns, or posts that are viewed all the time would keep others waiting. */
  let after = 0

  async function settleSome(): Promise<void> {
    mayWait = false
    if (!(await ctx.db.query.selectFrom('experiences__view').select('post_id').limit(1).executeTakeFirst())) return
    mayWait = true
    const settled = await ctx.db.write(async (tx) => {
      const rows = await tx
        .selectFrom('experiences__view')
        .select(['post_id', 'n'])
        .where('post_id', '>', after)
        .orderBy('post_id')
        .limit(SETTLED)
        .$call(freeRows(ctx.db.dialect))
        .execute()
      const ns = rows.map(({ post_id }) => post_id)
      if (ns.length === 0) return ns
      for (const [step, some] of byStep(rows.map(({ post_id, n }) => [post_id, n]))) await viewed(tx, { ns: some, step })
      await copyColumn(tx, 'view_count', ns)
      await tx.deleteFrom('experiences__view').where('post_id', 'in', ns).execute()
      return ns
    })
    after = settled.length === SETTLED ? (settled.at(-1) as number) : 0
  }

  let isOver = false
  const isHurried = () => isOver

  const flush = oneAtATime(async () => {
    await opened.flush(isHurried)
    await writeInPortions(waiting, note, NOTED, isHurried)
  })
  const settle = oneAtATime(async () => {
    if (mayWait && !isOver) await settleSome()
  })

  const warn = (error: Error) => ctx.log.warn('Views were not counted', { error: error.message })
  const timers = [
    setInterval(() => void flush().catch(warn), flushSeconds * 1000),
    setInterval(() => void settle().catch(warn), SETTLING_MS),
  ]
  for (const timer of timers) timer.unref()
  ctx.plugin.own(async () => {
    for (const timer of timers) clearInterval(timer)
    isOver = true
    await Promise.allSettled([flush(), settle()])
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

function* byStep(posts: [n: number, step: number][]): Iterable<[step: number, ns: number[]]> {
  for (const [step, some] of Map.groupBy(posts, ([, views]) => views)) yield [step, some.map(([n]) => n)]
}
