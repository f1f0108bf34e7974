import type { Translate } from '@stoa/sdk/web'
import type { TextTree } from './translate.ts'
import { translate } from './translate.ts'

export type FetchTexts = (namespace: string, language: string) => Promise<TextTree>

/** Texts of the kernel and of plugins: a namespace per plugin, fetched when first needed. */
export interface Texts {
  add(namespace: string, language: string, tree: TextTree): void
  /** Undefined when the texts are there, else a promise that never rejects: a page without texts is better than none. */
  ensure(namespace: string, language: string): Promise<void> | undefined
  translator(namespace: string, language: string): Translate
  namespaces(): string[]
  /** Fetches a plugin's texts again after it was swapped; the old ones stay until the new ones are there. */
  renew(namespace: string, language: string): Promise<void>
}

export function createTexts(fetchTexts: FetchTexts): Texts {
  const trees = new Map<string, TextTree>()
  const asked = new Map<string, Promise<void>>()
  const translators = new Map<string, Translate>()
  const id = (namespace: string, language: string) => `${language}/${namespace}`
  const add: Texts['add'] = (namespace, language, tree) => {
    trees.set(id(namespace, language), tree)
    translators.delete(id(namespace, language))
  }
  return {
    add,
    ensure(namespace, language) {
      const key = id(namespace, language)
      if (trees.has(key)) return undefined
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
        text = (name, values) => translate(trees.get(key) ?? {}, language, name, values)
        translators.set(key, text)
      }
      return text
    },
    namespaces: () => [...new Set([...trees.keys()].map((key) => key.slice(key.indexOf('/') + 1)))],
    async renew(namespace, language) {
      if (!trees.has(id(namespace, language))) return
      await fetchTexts(namespace, language).then(
        (tree) => add(namespace, language, tree),
        () => {},
      )
      for (const key of trees.keys()) if (key.endsWith(`/${namespace}`) && key !== id(namespace, language)) trees.delete(key)
    },
  }
}
