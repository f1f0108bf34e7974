import type { WebPlugin } from '@stoa/sdk/web'
import type { Core } from './core.ts'
import { languageAtom } from './core.ts'
import { mapAtom } from './registry.ts'
import { sessionAtom } from './session.ts'

interface Running {
  generation: string
  stop(): void
}

/** Starts the modules that plugins have for start-up, and keeps what runs in step with what is on. */
export function runPlugins(core: Core): void {
  const running = new Map<string, Running>()
  const sync = () => {
    const rows = new Map(core.map().plugins.map((row) => [row[0], row]))
    for (const [slug, { generation, stop }] of running) {
      if (rows.get(slug)?.[1] === generation) continue
      running.delete(slug)
      stop()
    }
    for (const [slug, generation, , , module] of rows.values()) {
      if (module !== undefined && !running.has(slug)) running.set(slug, start(core, slug, generation, module))
    }
  }
  core.store.sub(mapAtom, sync)
  sync()
}

function start(core: Core, slug: string, generation: string, module: string): Running {
  const abort = new AbortController()
  const disposers: (() => void)[] = []
  const own = (dispose: () => void) => void disposers.push(dispose)
  const guarded = (fn: () => void) => () => {
    try {
      fn()
    } catch (error) {
      console.error(`${slug} failed in an event`, error)
      core.faults.charge(slug, error)
    }
  }
  const subscribe = {
    navigated: (fn: () => void) => core.history.listen(fn),
    person: (fn: () => void) => core.store.sub(sessionAtom, fn),
    plugins: (fn: () => void) => core.store.sub(mapAtom, fn),
  }
  const stop = () => {
    abort.abort()
    for (const dispose of disposers.splice(0).reverse()) guarded(dispose)()
  }
  const activate = async () => {
    const language = core.store.get(languageAtom)
    const [loaded] = await Promise.all([core.loader.load(slug, generation, module), core.texts.ensure(slug, language)])
    if (abort.signal.aborted) return
    const plugin = loaded.default as WebPlugin
    await plugin.activate?.({
      slug,
      kernel: core.kernel,
      signal: abort.signal,
      own,
      t: (key, values) => core.texts.translator(slug, core.store.get(languageAtom))(key, values),
      on: (event, fn) => own(subscribe[event](guarded(fn))),
    })
    if (abort.signal.aborted) stop()
  }
  activate().catch((error) => {
    console.error(`${slug} did not start`, error)
    core.faults.charge(slug, error)
    stop()
  })
  return { generation, stop }
}
