/** Texts of one namespace in one language. */
export type TextTree = Record<string, unknown>

/** Values of a text: `{{name}}` in it, and `count` for its form. */
type Values = Record<string, unknown> | undefined

const plurals = new Map<string, Intl.PluralRules>()

/** The form of a number in a language: `one`, `other`, … @param language `zh_CN` */
function formOf(language: string, count: number): string {
  let rules = plurals.get(language)
  if (!rules) {
    rules = new Intl.PluralRules(language.replace('_', '-'))
    plurals.set(language, rules)
  }
  return rules.select(count)
}

function find(tree: TextTree, key: string): string | undefined {
  let at: unknown = tree
  for (const part of key.split('.')) at = (at as TextTree | undefined)?.[part]
  return typeof at === 'string' ? at : undefined
}

/**
 * One text in the format of locale files, which is that of i18next: `{{name}}` is replaced, `key_one` and `key_other` are forms by `count`.
 * That library does the same in 14 KB (brotli) of every first view.
 * @returns the key itself where there is no text
 */
export function translate(tree: TextTree, language: string, key: string, values: Values): string {
  const count = values?.count
  const text =
    (typeof count === 'number' ? (find(tree, `${key}_${formOf(language, count)}`) ?? find(tree, `${key}_other`)) : undefined) ??
    find(tree, key)
  return text?.replace(/\{\{\s*([\w.]+)\s*\}\}/g, (whole, name: string) => String(values?.[name] ?? whole)) ?? key
}
