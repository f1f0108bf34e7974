import type { Extensions, Field, FieldsToken, PropsOf } from '@stoa/sdk'
import type { ReactNode } from 'react'
import { useKernel } from './kernel.ts'
import type { SlotProps } from './slot-props.ts'

interface Bag {
  /** Values as they are in the form; absent before anybody has set one. */
  bag: Extensions | undefined
  /** @param slug whose value has changed */
  onChange(bag: Extensions, slug: string): void
  /** Of the form: those of fields begin with `extensions.<slug>`. */
  errors: Record<string, string>
}

// biome-ignore lint/suspicious/noExplicitAny: places of any props
type Place<T extends FieldsToken<any>> = Omit<PropsOf<T>, keyof Field<unknown>>

/** A place in a form that other plugins fill with fields for a bag. Each field is handed its own value and errors. */
// biome-ignore lint/suspicious/noExplicitAny: places of any props
export function Fields<T extends FieldsToken<any>>({ of, props, bag = {}, onChange, errors }: { of: T; props: Place<T> } & Bag): ReactNode {
  const each = (slug: string): Field<unknown> => {
    const prefix = `extensions.${slug}`
    const own = Object.entries(errors).filter(([name]) => name === prefix || name.startsWith(`${prefix}.`))
    return {
      value: (Object.hasOwn(bag, slug) ? bag[slug] : undefined) ?? undefined,
      onChange: (value) => onChange({ ...bag, [slug]: value }, slug),
      errors: Object.fromEntries(own.map(([name, text]) => [name.slice(prefix.length + 1), text])),
    }
  }
  const Place = useKernel().Slot
  // biome-ignore lint/suspicious/noExplicitAny: places of any props
  return <Place {...({ of, props, each } as unknown as SlotProps<any>)} />
}
