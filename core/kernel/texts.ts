import type { Translate } from '@stoa/sdk/web'
import type { i18n } from 'i18next'
import { createI18n, isOfGroup, safeValues } from '../../sdk/pages/i18n.ts'

/** Texts of one namespace in one language. */
export type TextTree = Record<string, unknown>
export type FetchTexts = (namespace: string, language: string) => Promise<TextTree>

/** Texts of the kernel and of plugins: a namespace per plugin, fetched when first needed. What a language lacks, the server has filled. */
export interface Texts {
  /** @param isPart only those groups (first parts of keys) that the server's HTML was drawn with; the others are fetched when they are wanted */
  add(namespace: string, language: string, tree: TextTree, isPart?: boolean): void
  /** Undefined when the texts are there, else a promise that never rejects: a page without texts is better than none. */
  ensure(namespace: string, language: string): Promise<void> | undefined
  /** The same for all of them, where {@link ensure} is content with a part. */
  ensureWhole(namespace: string, language: string): Promise<void> | undefined
  /** Fetches what is missing of every part: somebody is about to do something. */
  complete(): void
  /** Calls `then` whenever a part has become whole. */
  onWhole(then: () => void): void
  /** Namespace → groups that were asked for. */
  groups(): Record<string, string[]>
  /** The same function until the namespace's texts are others. */
  translator(namespace: string, language: string): Translate
  namespaces(): string[]
  /** Fetches a plugin's texts again after it was swapped; the old ones stay until the new ones are there. */
  renew(namespace: string, language: string): Promise<void>
}

/** Texts that pages have in common: on the server each page has its own {@link Texts} over the same book. */
export interface TextBook {
  i18n: i18n
  /** What is there, by {@link id}. */
  trees: Map<string, TextTree>
  /**
   * Texts that were said before, by {@link id}, then by name and values: the library takes 3 µs for each, 10 with values (measured), and a page draws
   * hundreds.
   */
  said: Map<string, Map<string, string>>
}

/** Names of texts and their values may be made of what comes from outside. */
const MOST_SAID = 10_000
const LONGEST_VALUE = 40
const id = (namespace: string, language: string) => `${language}/${namespace}`

/** @param language that is spoken where none is named */
export const createTextBook = (language: string): TextBook => ({
  i18n: createI18n({ resources: {}, lng: language, ns: [], defaultNS: 'core' }),
  trees: new Map(),
  said: new Map(),
})

/** Names values as what they are, so that 1 and '1' differ; undefined where they are too large to be kept, or could be taken for others. */
function nameOf(values: Record<string, unknown>): string | undefined {
  let name = ''
  for (const key in values) {
    const value = values[key]
    if (typeof value === 'number') name += `\0${key}=${value}`
    else if (typeof value === 'string' && value.length <= LONGEST_VALUE && !value.includes('\0')) name += `\0${key}:${value}`
    else return undefined
  }
  return name.length <= 4 * LONGEST_VALUE ? name : undefined
}

/** @param language that the page begins in */
export function createTexts(fetchTexts: FetchTexts, language: string, book = createTextBook(language)): Texts {
  const { i18n, trees, said } = book
  /** Namespace → languages that are there. */
  const loaded = new Map<string, Set<string>>()
  const asked = new Map<string, Promise<void>>()
  const translators = new Map<string, Translate>()
  /** What is there in part only, by {@link id}. */
  const parts = new Map<string, { namespace: string; language: string; tree: TextTree }>()
  const groups = new Map<string, Set<string>>()
  let tellWhole = () => {}
  const has = (namespace: string, language: string) => loaded.get(namespace)?.has(language) === true
  const countSaid = () => {
    let count = 0
    for (const texts of said.values()) count += texts.size
    return count
  }
  const forgetSaid = () => {
    for (const texts of said.values()) texts.clear()
  }
  const add: Texts['add'] = (namespace, language, tree, isPart = false) => {
    if (isPart) parts.set(id(namespace, language), { namespace, language, tree })
    else parts.delete(id(namespace, language))
    const key = id(namespace, language)
    loaded.set(namespace, (loaded.get(namespace) ?? new Set()).add(language))
    translators.delete(key)
    if (trees.get(key) === tree) return
    trees.set(key, tree)
    i18n.removeResourceBundle(language, namespace)
    i18n.addResourceBundle(language, namespace, tree, false, false, { silent: true, skipCopy: true })
    forgetSaid()
  }
  function obtain(namespace: string, language: string): Promise<void> {
    const key = id(namespace, language)
    let promise = asked.get(key)
    if (!promise) {
      promise = fetchTexts(namespace, language)
        .catch(() => parts.get(key)?.tree ?? {})
        .then((tree) => {
          const wasPart = parts.has(key)
          add(namespace, language, tree)
          asked.delete(key)
          if (wasPart) tellWhole()
        })
      asked.set(key, promise)
    }
    return promise
  }
  const ensure: Texts['ensure'] = (namespace, language) => {
    if (has(namespace, language)) return undefined
    const known = trees.get(id(namespace, language))
    if (!known) return obtain(namespace, language)
    add(namespace, language, known)
    return undefined
  }
  return {
    add,
    ensure,
    ensureWhole: (namespace, language) => (parts.has(id(namespace, language)) ? obtain(namespace, language) : ensure(namespace, language)),
    complete() {
      for (const { namespace, language } of parts.values()) void obtain(namespace, language)
    },
    onWhole(then) {
      tellWhole = then
    },
    groups: () => Object.fromEntries([...groups].map(([namespace, names]) => [namespace, [...names]])),
    translator(namespace, language) {
      const key = id(namespace, language)
      let text = translators.get(key)
      if (!text) {
        const say = (name: string, values?: Record<string, unknown>) =>
          i18n.t(name, { lng: language, ns: namespace, ...safeValues(values) })
        const wanted = groups.get(namespace) ?? new Set()
        groups.set(namespace, wanted)
        const part = parts.get(key)?.tree
        const before = said.get(key) ?? new Map<string, string>()
        said.set(key, before)
        text = (name, values) => {
          const end = name.indexOf('.')
          const group = end < 0 ? name : name.slice(0, end)
          wanted.add(group)
          if (part && !Object.keys(part).some((key) => isOfGroup(key, group))) {
            void obtain(namespace, language)
            return ''
          }
          const valued = values === undefined ? '' : nameOf(values)
          if (valued === undefined) return say(name, values)
          const known = valued === '' ? name : name + valued
          let found = before.get(known)
          if (found === undefined) {
            found = say(name, values)
            if (countSaid() >= MOST_SAID) forgetSaid()
            before.set(known, found)
          }
          return found
        }
        translators.set(key, text)
      }
      return text
    },
    namespaces: () => [...loaded.keys()],
    async renew(namespace, language) {
      if (!has(namespace, language)) return
      await fetchTexts(namespace, language).then(
        (tree) => add(namespace, language, tree),
        () => {},
      )
      for (const other of loaded.get(namespace) ?? []) {
        if (other === language) continue
        loaded.get(namespace)?.delete(other)
        trees.delete(id(namespace, other))
        i18n.removeResourceBundle(other, namespace)
      }
      forgetSaid()
    },
  }
}
