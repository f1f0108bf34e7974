import type { InitOptions, i18n } from 'i18next'
import { createInstance } from 'i18next'

/**
 * The translator of a tab, of one page on the server and of the server's own texts: the format of locale files is i18next's, all of it.
 * Nothing is escaped: React does it where a text is drawn, mail and HTML where they are written. Numbers are grouped; `{{- year}}` puts one as it is.
 */
export function createI18n(options: InitOptions): i18n {
  const i18n = createInstance()
  void i18n.init({
    load: 'currentOnly',
    fallbackLng: false,
    // A key may hold a colon; another namespace is named as an option: `$t(kit.close, {"ns": "core"})`.
    nsSeparator: false,
    initAsync: false,
    // The library's one place that sees each value as it was given.
    interpolation: { escapeValue: true, useRawValueToEscape: true, escape: grouped as (value: string) => string },
    missingInterpolationHandler: (_: string, [whole]: RegExpMatchArray) => whole,
    returnedObjectHandler: (key) => key,
    ...options,
  })
  return i18n
}

const digits = new Intl.NumberFormat('en-US', { maximumFractionDigits: 20 })

/** 1234567 → `1,234,567`, in every language as counts are. */
const grouped = (value: unknown): unknown => (typeof value === 'number' && Math.abs(value) >= 1000 ? digits.format(value) : value)

/**
 * Values of a text. Names and titles come from people, and one that holds `$t(…)` must not become a text of ours. The library looks whether
 * values have added such a place, but they can also close one that the text has: with such a value, nothing is nested.
 */
export function safeValues(values: Record<string, unknown> | undefined): Record<string, unknown> {
  const isForeign = values !== undefined && Object.values(values).some((value) => typeof value === 'string' && value.includes('$t('))
  return isForeign ? { ...values, nest: false } : (values ?? {})
}

/** Whether a branch of a tree of texts belongs to a group: it is called so, or is a form of it for a number or a context (`votes_one`). */
export const isOfGroup = (branch: string, group: string): boolean => branch === group || branch.startsWith(`${group}_`)
