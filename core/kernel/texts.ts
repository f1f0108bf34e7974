import type { Translate } from '@stoa/sdk/web'
import { createI18n, safeValues } from '../../sdk/pages/i18n.ts'

/** Texts of one namespace in one language. */
export type TextTree = Record<string, unknown>
export type FetchTexts = (namespace: string, language: string) => Promise<TextTree>

/** Texts of the kernel and of plugins: a namespace per plugin, fetched when first needed. What a language lacks, the server has filled. */
export interface Texts {
  add(namespace: string, language: string, tree: TextTree): void
  /** Undefined when the texts are there, else a promise that never rejects: a page without texts is better than none. */
  ensure(namespace: string, language: string): Promise<void> | undefined
  /** The same function until the namespace's texts are others. */
  translator(namespace: string, language: string): Translate
  namespaces(): string[]
  /** Fetches a plugin's texts again after it was swapped; the old ones stay until the new ones are there. */
  renew(namespace: string, language: string): Promise<void>
}

/** @param language that the page begins in */
export function createTexts(fetchTexts: FetchTexts, language: string): Texts {
  const i18n = createI18n({ resources: {}, lng: language, ns: [], defaultNS: 'core' })
  /** Namespace → languages that are there. */
  const loaded = new Map<string, Set<string>>()
  const asked = new Map<string, Promise<void>>()
  const translators = new Map<string, Translate>()
  /** Texts without values, which most are: the library takes 3 µs for each (measured), and a page draws hundreds. */
  const plain = new Map<string, string>()
  const id = (namespace: string, language: string) => `${language}/${namespace}`
  const has = (namespace: string, language: string) => loaded.get(namespace)?.has(language) === true
  const add: Texts['add'] = (namespace, language, tree) => {
    i18n.removeResourceBundle(language, namespace)
    i18n.addResourceBundle(language, namespace, tree, false, false, { silent: true, skipCopy: true })
    loaded.set(namespace, (loaded.get(namespace) ?? new Set()).add(language))
    translators.delete(id(namespace, language))
    plain.clear()
  }
  return {
    add,
    ensure(namespace, language) {
      if (has(namespace, language)) return undefined
      const key = id(namespace, language)
      let promise = asked.get(key)
      if (!promise) {
        promise = fetchTexts(namespace, language)
          .catch(() => ({}))
          .then((tree) => {
            add(namespace, language, tree)
            asked.delete(key)
          })
        asked.set(key, promise)
      }
      return promise
    },
    translator(namespace, language) {
      const key = id(namespace, language)
      let text = translators.get(key)
      if (!text) {
        const say = (name: string, values?: Record<string, unknown>) =>
          i18n.t(name, { lng: language, ns: namespace, ...safeValues(values) })
        text = (name, values) => {
          if (values !== undefined) return say(name, values)
          const known = `${key}/${name}`
          const found = plain.get(known) ?? say(name)
          plain.set(known, found)
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
        i18n.removeResourceBundle(other, namespace)
      }
      plain.clear()
    },
  }
}
