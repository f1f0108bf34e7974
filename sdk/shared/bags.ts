import type { SlotToken } from './tokens.ts'
import { slots } from './tokens.ts'

/** What plugins have stored beside an object of another, by their slugs. */
export type Extensions = Record<string, unknown>

/** A place beside objects of its owner in which other plugins keep a value each; `O` is what their checks are told of an object. */
export interface BagToken<O> {
  readonly kind: 'bag'
  readonly id: string
  readonly type?: (object: O) => void
}

export function bag<O>(id: string): BagToken<O> {
  return { kind: 'bag', id }
}

/** The value of one plugin in a bag of another. Its id begins with the slug of the plugin whose value it is. */
export interface ExtensionToken<V> {
  readonly kind: 'extension'
  readonly id: string
  readonly slug: string
  readonly type?: V
}

/** @param slug of the plugin itself: the key in the bag */
export function extension<V>(bag: BagToken<never>, slug: string): ExtensionToken<V> {
  return { kind: 'extension', id: `${slug}.${bag.id}`, slug }
}

/** The value of an extension among those that came with an object; undefined where there is none, or its plugin is off. */
export function valueIn<V>({ slug }: ExtensionToken<V>, extensions: Extensions | undefined): V | undefined {
  return extensions && Object.hasOwn(extensions, slug) ? (extensions[slug] as V) : undefined
}

/** What a field of a bag is given beside what its place gives everybody. */
export interface Field<V> {
  /** Undefined until somebody has set one. */
  value: V | undefined
  /** `null` takes the value away. */
  onChange(value: V | null): void
  /** Texts by member of the value; under an empty name what is wrong with the whole. */
  errors: Record<string, string>
}

/** Props of a component that fills a place for fields: `FieldProps<Meetup, PropsOf<typeof entrySlots.fields>>`. */
export type FieldProps<V, P extends object = {}> = Omit<P, keyof Field<V>> & Field<V>

/** A place in a form that plugins fill with fields for a bag; drawn with `Fields`. */
// biome-ignore lint/suspicious/noExplicitAny: each plugin has a value of its own
export type FieldsToken<P extends object> = SlotToken<P & Field<any>, 'many'>

/** @param bag the bag that the fields are for */
export function fields<P extends object = {}>(
  id: string,
  _bag: BagToken<never>,
  options: { was?: readonly string[] } = {},
): FieldsToken<P> {
  return slots(id, options)
}
