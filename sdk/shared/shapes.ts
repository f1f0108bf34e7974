/** Kind of a value; with `?` it may be missing or null too. `object`: of any members; `list`: of any items. */
type Kind = 'string' | 'number' | 'boolean' | 'object' | 'list'

/** What a value is made of: a kind, the shape of each item of a list, or the shapes of members. `{ '?': shape }` may be missing or null. */
export type Shape = Kind | `${Kind}?` | 'any' | readonly [Shape] | { readonly [member: string]: Shape }

type KindOf<T> = [T] extends [string]
  ? 'string'
  : [T] extends [number]
    ? 'number'
    : [T] extends [boolean]
      ? 'boolean'
      : [T] extends [readonly unknown[]]
        ? 'list'
        : 'object'

type Parts<T> = T extends readonly (infer I)[]
  ? readonly [ShapeOf<I>]
  : [T] extends [object]
    ? { readonly [M in keyof Required<T>]: ShapeOf<T[M & keyof T]> }
    : never

/** Shapes that fit a type: no member is left out, and none of them says more than the type does. */
export type ShapeOf<T> = unknown extends T
  ? 'any'
  : undefined extends T
    ? `${KindOf<NonNullable<T>>}?` | { readonly '?': Parts<NonNullable<T>> }
    : null extends T
      ? `${KindOf<NonNullable<T>>}?` | { readonly '?': Parts<NonNullable<T>> }
      : KindOf<T> | Parts<T>
