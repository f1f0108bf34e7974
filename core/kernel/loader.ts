import type { PageMap } from '../../sdk/pages/page-state.ts'

/** What a contribution's module exports. */
export type Loaded = Record<string, unknown>

/** Gets the code of contributions; the browser and the server each have one. */
export interface Loader {
  /** Resolves to the module; a failure names the plugin and the missing file and may be tried again. */
  load(slug: string, generation: string, module: string): Promise<Loaded>
  /** The module when it is there already. */
  peek(slug: string, generation: string, module: string): Loaded | undefined
  /** Modules of a generation that were loaded. */
  loadedOf(slug: string, generation: string): string[]
  /** After a switch: styles of what went are set aside, styles of what came back return. */
  settle(map: PageMap): void
}

const RETRY_AFTER_MS = 3000

/** A loader's memory: one promise per module; a failure is forgotten after a moment. */
export function createLoader(
  fetchModule: (slug: string, generation: string, module: string) => Promise<Loaded>,
  settle: (map: PageMap) => void = () => {},
): Loader {
  const waiting = new Map<string, Promise<Loaded>>()
  const there = new Map<string, Loaded>()
  const key = (slug: string, generation: string, module: string) => `${slug}@${generation}/${module}`
  return {
    load(slug, generation, module) {
      const id = key(slug, generation, module)
      let promise = waiting.get(id)
      if (!promise) {
        promise = fetchModule(slug, generation, module).then((loaded) => {
          there.set(id, loaded)
          return loaded
        })
        // Not at once: what renders meanwhile has to find the same failure, or it would ask for ever.
        promise.catch(() => setTimeout(() => waiting.delete(id), RETRY_AFTER_MS))
        waiting.set(id, promise)
      }
      return promise
    },
    peek: (slug, generation, module) => there.get(key(slug, generation, module)),
    loadedOf(slug, generation) {
      const prefix = `${slug}@${generation}/`
      return [...there.keys()].filter((id) => id.startsWith(prefix)).map((id) => id.slice(prefix.length))
    },
    settle,
  }
}
