import type { BagToken, Extensions, Person } from '@stoa/sdk'
import { fieldErrors, isCodedError } from '@stoa/sdk'
import type { BagLine, ExtensionRules } from '@stoa/sdk/server'
import type { ErrorObject } from 'ajv'
import type { Check } from '../../calls/judged.ts'
import { compiler2019 } from '../../calls/judged.ts'
import { closed } from '../../calls/reply-check.ts'
import { messageKey } from '../../calls/validation.ts'
import type { FaultBook } from '../faults/fault-book.ts'
import { withTimeout } from '../faults/with-timeout.ts'
import type { Extension } from './extension.ts'
import { scope } from './scope.ts'

const MOST_OF_ONE = 8 * 1024
const MOST_OF_ALL = 32 * 1024

// biome-ignore lint/suspicious/noExplicitAny: values have any shape
type Any = any

export function makeExtension(slug: string, rules: ExtensionRules<Any, Any>): Extension {
  let compiled: Check | undefined
  const validate = (value: unknown): Record<string, string> => {
    compiled ??= compiler2019({ useDefaults: true })(closed(rules.schema) as object)
    if (compiled(value)) return {}
    return Object.fromEntries((compiled.errors ?? []).map((error) => [memberOf(error), messageKey(error)]))
  }
  return { slug, rules, validate }
}

/** The member of a value that an error is about; empty for the whole. */
function memberOf({ instancePath, params }: ErrorObject): string {
  const about = params as { missingProperty?: string; additionalProperty?: string; unevaluatedProperty?: string }
  return instancePath.split('/')[1] ?? about.missingProperty ?? about.additionalProperty ?? about.unevaluatedProperty ?? ''
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))
const isObject = (value: unknown): value is Extensions => typeof value === 'object' && value !== null && !Array.isArray(value)
const own = (values: Extensions, slug: string): unknown => (Object.hasOwn(values, slug) ? values[slug] : undefined)

export interface CheckedBag {
  bag: BagToken<unknown>
  extensions: readonly Extension[]
  given: unknown
  stored: Extensions
  object: unknown
  person: Person
  faults: Pick<FaultBook, 'charge'>
  /** Milliseconds that the check of one plugin may take. */
  timeoutMs: number
}

/** See `ServerContext.checkBag`. */
export async function checkBag({ bag, extensions, given, stored, object, person, faults, timeoutMs }: CheckedBag): Promise<Extensions> {
  const offered = isObject(given) ? given : {}
  const next = new Map(Object.entries(stored))
  const errors = new Map<string, string>()
  for (const { slug, rules, validate } of extensions) {
    const value = own(offered, slug)
    if (value === undefined) continue
    next.delete(slug)
    if (value === null) continue
    const refuse = (wrong: Record<string, string>) => {
      for (const [member, text] of Object.entries(wrong)) errors.set(`extensions.${slug}${member && `.${member}`}`, text)
    }
    if (bytesOf(value) > MOST_OF_ONE) {
      refuse({ '': 'validation.too_much' })
      continue
    }
    const taken: unknown = structuredClone(value)
    const wrong = validate(taken)
    refuse(wrong)
    if (Object.keys(wrong).length > 0) continue
    try {
      const check = scope.as(slug, async () => rules.check?.(taken, object, person))
      refuse((await withTimeout(timeoutMs, `The check of ${bag.id}`, check)) ?? {})
    } catch (error) {
      if (isCodedError(error)) throw error
      // What nobody has looked at is not stored.
      faults.charge(slug, 'request', bag.id, error)
      refuse({ '': 'base.unknown' })
    }
    next.set(slug, taken)
  }
  const all = Object.fromEntries(next)
  if (bytesOf(all) > MOST_OF_ALL) errors.set('extensions', 'validation.too_much')
  if (errors.size > 0) throw fieldErrors(Object.fromEntries(errors))
  return all
}

/** See `Bags.text`. */
export function bagText(extensions: readonly Extension[], stored: Extensions, onFault: (slug: string, error: unknown) => void): string[] {
  return spoken(extensions, stored, onFault).flatMap(({ text }) => (text ? [text] : []))
}

/** See `Bags.lines`. @param nameOf what a plugin is called in the reader's language */
export function bagLines(
  extensions: readonly Extension[],
  stored: Extensions,
  nameOf: (slug: string) => string,
  onFault: (slug: string, error: unknown) => void,
): BagLine[] {
  return spoken(extensions, stored, onFault).map(({ slug, value, text }) => ({ slug, label: nameOf(slug), text: text ?? plainly(value) }))
}

/** Values with the line that their plugin has for them; null where it has none, or fails. */
function spoken(
  extensions: readonly Extension[],
  stored: Extensions,
  onFault: (slug: string, error: unknown) => void,
): { slug: string; value: unknown; text: string | null }[] {
  return extensions.flatMap(({ slug, rules }) => {
    const value = own(stored, slug)
    if (value === undefined) return []
    try {
      return [{ slug, value, text: scope.as(slug, () => rules.text?.(value)) ?? null }]
    } catch (error) {
      onFault(slug, error)
      return [{ slug, value, text: null }]
    }
  })
}

/** A value of which its plugin says nothing: members by name. */
const plainly = (value: unknown): string =>
  isObject(value)
    ? Object.entries(value)
        .map(([member, one]) => `${member}: ${plainText(one)}`)
        .join('\n')
    : plainText(value)
const plainText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
