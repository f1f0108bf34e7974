import type { ReadContext } from '@stoa/sdk/server'
import type { PostRow } from '../store/rows.ts'
import type { Order } from './order.ts'

/** Where a page ended: what follows is found by an index from here, however far it is from the beginning. */
interface Border {
  /** Rows of the list up to here, with the last one. */
  offset: number
  /** Of the last row: `tier`, the columns of the order and `id`. */
  place: number[]
}

/** Borders of all lists that are kept at once, per worker. */
const MOST = 4_000

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
    if (!place || this.#count >= MOST || known[at]?.offset === offset) return
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
export function placeIn({ by }: Order, row: PostRow): number[] | undefined {
  const place = [row.pin, ...by.map((column) => (row as Partial<Record<(typeof by)[number], number>>)[column]), row.id]
  return place.every((value) => value !== undefined) ? place : undefined
}

/** What is remembered is for all to read; this alone is made to be added to. */
export const bordersOf = (ctx: ReadContext): Promise<Borders> => ctx.remember('experiences.borders', async () => new Borders())
