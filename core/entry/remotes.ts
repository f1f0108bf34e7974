import { createInstance } from '@module-federation/enhanced/runtime'
import type { PageMap, PageState, WebFacts } from '../../sdk/pages/page-state.ts'
import { filesOf } from '../../sdk/pages/page-state.ts'
import { shareKeys } from '../../sdk/shared/share-keys.ts'
import type { createPatience } from '../kernel/connection.ts'
import type { Loaded, Loader } from '../kernel/loader.ts'
import { createLoader } from '../kernel/loader.ts'
import { openJoined } from './joined.ts'
import { shareScope } from './shared.ts'
import { createStyles } from './styles.ts'

/** A chunk that does not arrive within this time counts as missing. Source: specification, section 9. */
const CHUNK_TIMEOUT_MS = 120_000

/**
 * Loads plugins' modules through the Module Federation runtime. Before a file is run its digest is checked:
 * a `modulepreload` link with integrity is awaited, which an `import()` by itself cannot do.
 */
export function createRemoteLoader(
  { facts: inlined, sheets = [] }: PageState,
  map: () => PageMap,
  patient: ReturnType<typeof createPatience>,
): Loader {
  const offers = shareScope()
  const styles = createStyles(sheets, map())
  const joining = openJoined()
  const host = createInstance({
    name: 'stoa',
    remotes: [],
    plugins: [{ name: 'joined', loadEntry: async ({ remoteInfo }) => (await joining).container(remoteInfo.entry) as never }],
    shared: Object.fromEntries(
      Object.entries(offers).map(([key, { version, get, lib }]) => [
        key,
        {
          version,
          scope: 'default',
          shareConfig: { singleton: true, requiredVersion: shareKeys[key] ?? false },
          ...(lib ? { lib } : { get }),
        } as never,
      ]),
    ),
  })
  const facts = new Map(
    Object.entries(inlined).map(([slug, value]) => [`${slug}@${map().plugins.find((row) => row[0] === slug)?.[1]}`, value]),
  )
  const registered = new Set<string>()

  async function factsOf(slug: string, generation: string, module: string): Promise<WebFacts> {
    const key = `${slug}@${generation}`
    const joined = styles.isWhole ? (await joining).facts(filesOf(slug, generation)) : undefined
    for (const known of [facts.get(key), joined]) if (known?.modules[module]) return known
    const fetched = await fetchFacts(slug, generation)
    facts.set(key, fetched)
    return fetched
  }

  async function fetchModule(slug: string, generation: string, module: string): Promise<Loaded> {
    const all = await factsOf(slug, generation, module)
    const { expose, js, css } = all.modules[module] ?? {}
    if (!expose || !js || !css) throw new Error(`${slug} has no module ${module}`)
    const folder = filesOf(slug, generation)
    const joined = await joining
    const files = [all.entry, ...js].filter((file) => !joined.has(folder + file))
    await Promise.all([
      ...files.map((file) => preload(folder + file, all.integrity[file])),
      ...css.map((file) => styles.add(slug, generation, folder + file, all.integrity[file])),
    ])
    const name = `${slug.replaceAll('-', '_')}_${generation}`
    if (!registered.has(name)) {
      registered.add(name)
      host.registerRemotes([{ name, entry: folder + all.entry, type: 'module' }])
    }
    const loaded = await host.loadRemote<Loaded>(`${name}/${expose.replace(/^\.\//, '')}`)
    if (!loaded) throw new Error(`${slug} gave nothing for ${module}`)
    return loaded
  }

  return createLoader(
    patient((slug: string, generation: string, module: string) =>
      withTimeout(
        fetchModule(slug, generation, module),
        `Chunk ${module} of ${slug} is missing: it did not arrive within ${CHUNK_TIMEOUT_MS / 1000} s`,
      ),
    ),
    styles.settle,
  )
}

function withTimeout<T>(promise: Promise<T>, message: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout>
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(message)), CHUNK_TIMEOUT_MS)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

/** What a generation consists of. Its digest is the generation's name; the digests in it are those of the files. */
async function fetchFacts(slug: string, generation: string): Promise<WebFacts> {
  const address = `${filesOf(slug, generation)}web.json`
  // What was damaged on the way lies in the cache now.
  for (const cache of ['default', 'reload'] as const) {
    const reply = await fetch(address, { cache })
    if (!reply.ok) throw new Error(`Nothing is known of ${slug} (generation ${generation.slice(0, 8)}): HTTP ${reply.status}`)
    const text = await reply.text()
    if (await isDigest(generation, text)) return JSON.parse(text) as WebFacts
  }
  throw new Error(`${address} is not what was built`)
}

/** Without TLS browsers have no digests for scripts; there the document that names the generation could be changed as easily. */
async function isDigest(name: string, text: string): Promise<boolean> {
  if (!globalThis.isSecureContext) return true
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .startsWith(name)
}

const preloads = new Map<string, Promise<void>>()

/** Fetches a module file and checks its digest. Links of the document itself are taken over: what they loaded is in the browser's module map. */
function preload(href: string, integrity: string | undefined): Promise<void> {
  let promise = preloads.get(href)
  if (!promise) {
    if (document.head.querySelector(`link[rel=modulepreload][href="${href}"]`)) promise = Promise.resolve()
    else {
      promise = new Promise((resolve, reject) => {
        const link = document.createElement('link')
        link.rel = 'modulepreload'
        link.href = href
        if (integrity) link.integrity = integrity
        link.onload = () => resolve()
        link.onerror = () => {
          link.remove()
          preloads.delete(href)
          reject(new Error(`Chunk ${href} is missing or is not what was built`))
        }
        document.head.append(link)
      })
    }
    preloads.set(href, promise)
  }
  return promise
}
