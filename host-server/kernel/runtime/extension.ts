import type { ExtensionRules } from '@stoa/sdk/server'

// biome-ignore lint/suspicious/noExplicitAny: values of any bag
type Any = any

/** What one plugin puts into a bag. */
export interface Extension {
  readonly slug: string
  readonly rules: ExtensionRules<Any, Any>
  /** Errors of a value by member. */
  readonly validate: (value: unknown) => Record<string, string>
}
