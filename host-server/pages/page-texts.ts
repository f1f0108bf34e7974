import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

type Tree = Record<string, unknown>

const FALLBACK = 'en_US'

export interface PageTexts {
  /** Complete tree of a namespace: what the language lacks comes from the site's language, then from English. */
  tree(namespace: string, language: string): Tree
  /** One text by its dotted key; the key itself when nobody has it. */
  text(namespace: string, key: string, language: string): string
  /** Forgets what was put together: another set of plugins is on. */
  renew(): void
  /** Core was built anew: its own texts are read again. */
  renewOwn(): void
}

/** Texts for pages: core's own from its build, others from the active plugins. */
export function createPageTexts(options: {
  coreDir: string
  siteLanguage(): string
  texts(slug: string, language: string): Tree | undefined
}): PageTexts {
  /** Read at once: the next build may put those of another version in their place. */
  const readOwn = (): Map<string, Tree> => {
    const folder = join(options.coreDir, 'texts')
    const files = existsSync(folder) ? readdirSync(folder) : []
    return new Map(files.map((name) => [basename(name, '.json'), JSON.parse(readFileSync(join(folder, name), 'utf8')) as Tree]))
  }
  let own = readOwn()
  const complete = new Map<string, Tree>()

  const source = (namespace: string, language: string): Tree =>
    namespace === 'core'
      ? merge(own.get(language) ?? {}, options.texts('core', language) ?? {})
      : (options.texts(namespace, language) ?? {})

  const tree: PageTexts['tree'] = (namespace, language) => {
    const site = options.siteLanguage()
    const key = `${namespace}/${language}/${site}`
    let whole = complete.get(key)
    if (!whole) {
      const order = [FALLBACK, site, language].filter((code, index, all) => all.lastIndexOf(code) === index)
      whole = order.reduce((sum, code) => merge(sum, source(namespace, code)), {} as Tree)
      complete.set(key, whole)
    }
    return whole
  }

  return {
    tree,
    text(namespace, key, language) {
      let at: unknown = tree(namespace, language)
      for (const part of key.split('.')) at = typeof at === 'object' && at !== null ? (at as Tree)[part] : undefined
      return typeof at === 'string' ? at : key
    },
    renew: () => complete.clear(),
    renewOwn() {
      own = readOwn()
      complete.clear()
    },
  }
}

function merge(below: Tree, above: Tree): Tree {
  const out: Tree = { ...below }
  for (const [key, value] of Object.entries(above)) {
    const old = out[key]
    out[key] = isTree(old) && isTree(value) ? merge(old, value) : value
  }
  return out
}

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)
