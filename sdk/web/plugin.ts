import type { Translate, WebKernel } from './kernel.ts'

/** Behaviour of a plugin in the browser beyond what its manifest declares. Loaded at start-up: keep it rare and small. */
export interface WebPlugin {
  activate?(ctx: WebContext): void | Promise<void>
}

export interface WebContext {
  slug: string
  kernel: WebKernel
  t: Translate
  /** Aborted when the plugin stops. */
  signal: AbortSignal
  own(dispose: () => void): void
  /** Listens to a kernel event: `navigated`, `person`, `plugins`. */
  on(event: 'navigated' | 'person' | 'plugins', fn: () => void): void
}

/** The default export of a plugin's `web/index.ts`. */
export function defineWebPlugin(plugin: WebPlugin): WebPlugin {
  return plugin
}
