/** What the web entry of a plugin was. The kernel does not load it; what plugins do in the browser stands in `contributes` of `plugin.json`. */
export interface WebPlugin {
  activate?(ctx: never): unknown
}

/** @deprecated Not loaded any more; see `webHooks`. Stays because bundles built with sdk 1.0 may name it. */
export function defineWebPlugin(plugin: WebPlugin): WebPlugin {
  return plugin
}
