import type { Static, TInteger, TObject, TSchema } from 'typebox'
import { Type } from 'typebox'

export type { Static, TSchema } from 'typebox'
export { Type } from 'typebox'

type Fallback<T extends TSchema> = T & { '~fallback': true }

/** A member that a handler always has: where the caller leaves it out, it is `value`. */
export function fallback<T extends TSchema>(schema: T, value: Static<T>): Fallback<T> {
  // What typebox knows a schema by cannot be enumerated, so it does not survive a spread.
  return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(schema), default: { value, enumerable: true } }) as Fallback<T>
}

/** Query members of a list: `page` from 1, `page_size` with the size that is used where none is asked. */
export function paging(size: number): { page: Fallback<TInteger>; page_size: Fallback<TInteger> } {
  return { page: fallback(Type.Integer({ minimum: 1 }), 1), page_size: fallback(Type.Integer({ minimum: 1 }), size) }
}

/** One page of a list; `count` is the number of all rows. */
export const pageOf = <T extends TSchema>(item: T) => Type.Object({ count: Type.Integer(), list: Type.Array(item) })

/** One of some words. */
export const oneOf = <const T extends readonly string[]>(words: T) => Type.Unsafe<T[number]>(Type.String({ enum: [...words] }))

/** A schema's members and others beside them: `extend(card, { rank: Type.Integer() })`. */
export const extend = <P extends Record<string, TSchema>, const Q extends Record<string, TSchema>>(schema: TObject<P>, more: Q) =>
  Type.Object({ ...schema.properties, ...more })
