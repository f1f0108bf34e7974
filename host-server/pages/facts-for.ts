import type { WebFacts } from '../../sdk/pages/page-state.ts'

/** The part of a plugin's build facts that these modules need. */
export function factsFor(web: WebFacts, modules: string[]): WebFacts {
  const chosen = Object.fromEntries(
    modules.flatMap((name) => {
      const module = web.modules[name]
      return module ? [[name, { expose: module.expose, js: module.js, css: module.css }]] : []
    }),
  )
  const files = [web.entry, ...Object.values(chosen).flatMap(({ js, css }) => [...js, ...css])]
  return {
    entry: web.entry,
    modules: chosen,
    integrity: Object.fromEntries(files.flatMap((file) => (web.integrity[file] ? [[file, web.integrity[file]]] : []))),
  }
}
