import type { Dialect, ReadContext } from '@stoa/sdk/server'
import { plannedEachTime } from '@stoa/sdk/server'
import type { Compilable, Expression, Kysely, RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { PostRow } from '../store/rows.ts'
import type { Tables } from '../store/tables.ts'
import type { Order, OrderName } from './order.ts'
import { orders } from './order.ts'

/** Where a page ended: what follows is found by an index from here, however far it is from the beginning. */
interface Border {
  /** Rows of the list up to here, with the last one. */
  offset: number
  /** Of the last row: `tier`, the columns of the order and `id`. */
  place: number[]
}

/** Borders of all lists that are kept at once, per worker. */
const MOST = 10_000
/** Rows that an index walks over in a fraction of the time that a page takes: nearer than this to another, a border gains nothing. */
const NEAR = 100

/** Borders of pages that were read since anything was written: lists are the same until then, so a page can begin at another's end. */
export class Borders {
  /** By what names a list, in order of their offsets. */
  readonly #lists = new Map<string, Border[]>()
  #count = 0

  /** The last border at or before a row; undefined where none is known. */
  before(list: string, offset: number): Border | undefined {
    const known = this.#lists.get(list) ?? []
    return known[placeOf(known, offset + 1) - 1]
  }

  /** @param place of the last row before; undefined where it is not known */
  keep(list: string, offset: number, place: number[] | undefined): void {
    const known = this.#lists.get(list) ?? []
    const at = placeOf(known, offset)
    const isNear = offset - (known[at - 1]?.offset ?? 0) < NEAR || (known[at]?.offset ?? Number.POSITIVE_INFINITY) === offset
    if (!place || this.#count >= MOST || isNear) return
    known.splice(at, 0, { offset, place })
    this.#lists.set(list, known)
    this.#count++
  }
}

/** Index of the first border whose offset is at least this. */
function placeOf(known: readonly Border[], offset: number): number {
  let [from, to] = [0, known.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((known[middle] as Border).offset < offset) from = middle + 1
    else to = middle
  }
  return from
}

/** Place of a listed row in an order; undefined where lists do not read a column of it. */
function placeIn({ by }: Order, row: PostRow): number[] | undefined {
  const place = [row.pin, ...by.map((column) => (row as Partial<Record<(typeof by)[number], number>>)[column]), row.id]
  return place.every((value) => value !== undefined) ? place : undefined
}

/** What is remembered is for all to read; this alone is made to be added to. */
const bordersOf = (ctx: ReadContext): Promise<Borders> => ctx.remember('experiences.borders', async () => new Borders())

/** `offset` counts from the border, whose place is `place0`, `place1` … */
export type Walk = { size: number; offset: number; createdAfter: number; activeAfter: number; [place: `place${number}`]: number }

/** Rows behind the border that is given, in the order of the columns, which all fall. */
export function behindBorder(columns: readonly string[], given: Walk): RawBuilder<boolean> {
  const place = columns.map((_, index) => given[`place${index}`])
  return sql<boolean>`(${sql.join(columns.map((column) => sql.ref(column)))}) < (${sql.join(place)})`
}

/** PostgreSQL thinks of an unknown border as near the beginning, and takes another index: such a statement it has to plan each time. */
export const plannedFor = <R>(
  dialect: Dialect,
  isBordered: boolean,
  page: Expression<R> & Compilable<R>,
  db: Kysely<Tables>,
): Pick<Compilable<R>, 'compile'> =>
  isBordered && dialect === 'postgres' ? { compile: () => sql<R>`${plannedEachTime}${page}`.compile(db) } : page

interface List {
  /** Names the list, but for its windows. */
  name: string
  order: OrderName
  /** Unix seconds, 0 for no bound. */
  createdAfter: number
  activeAfter: number
}

/** A page of a list, read from the last border before it, whose end becomes a border itself. */
export async function fromBorder(
  ctx: ReadContext,
  { name, order, createdAfter, activeAfter }: List,
  { size, offset }: { size: number; offset: number },
  read: (walk: Walk, isBordered: boolean) => Promise<PostRow[]>,
): Promise<PostRow[]> {
  const list = `${name} ${createdAfter} ${activeAfter}`
  const borders = await bordersOf(ctx)
  const border = borders.before(list, offset)
  const place = Object.fromEntries((border?.place ?? []).map((value, index) => [`place${index}`, value]))
  const rows = await read({ size, offset: offset - (border?.offset ?? 0), createdAfter, activeAfter, ...place }, border !== undefined)
  const last = rows.length === size ? rows.at(-1) : undefined
  if (last) borders.keep(list, offset + size, placeIn(orders[order], last))
  return rows
}
