import type { ServiceToken } from '@stoa/sdk'
import { partsOf, servicesOf, usesOf } from '@stoa/sdk/kernel'
import type { Migration, Reads, ServerPlugin } from '@stoa/sdk/server'
import type { HttpServices } from '../../calls/http-services.ts'
import { buildInstance } from '../../calls/instance.ts'
import type { DiscoveredPlugin, LoadedCode } from '../../shared/types.ts'
import { runIsolated } from '../faults/run-isolated.ts'
import { withTimeout } from '../faults/with-timeout.ts'
import type { ContextServices } from '../runtime/activation.ts'
import { createActivation } from '../runtime/activation.ts'
import type { GuardedGlobals } from '../runtime/guarded-globals.ts'
import { guardedGlobals } from '../runtime/guarded-globals.ts'
import { needed, wanted } from '../runtime/handles.ts'
import { loadBundle, takeLegacyUses } from '../runtime/load-code.ts'
import { scope } from '../runtime/scope.ts'
import type { Running, View } from '../runtime/view.ts'

function loadCode(plugin: DiscoveredPlugin, globals: GuardedGlobals): LoadedCode {
  const { server, reads, migrations } = plugin.manifest.build
  return {
    server: server ? loadBundle<ServerPlugin>(plugin, server, globals) : null,
    reads: reads ? loadBundle<Reads>(plugin, reads, globals) : null,
    migrations: migrations ? loadBundle<(Migration & { name: string })[]>(plugin, migrations, globals) : [],
  }
}

type Tokens = Record<string, ServiceToken<unknown>>

/** The manifest decides; code that says something else is refused before it runs. */
function compareWithManifest({ manifest }: DiscoveredPlugin, code: ServerPlugin): void {
  const own = new Set(servicesOf(manifest))
  const taken = new Set(usesOf(manifest).map(({ contract, name }) => `${contract}.${name}`))
  // A contract of which nothing is there but services for others to provide is offered by its version alone.
  const offered = { ...manifest.provides, ...manifest.contracts?.offers }
  const isOwn = (id: string) => own.has(id) || Object.hasOwn(offered, partsOf(id)[0])
  for (const part of ['needs', 'wants'] as const) {
    for (const { id } of Object.values((code[part] ?? {}) as Tokens)) {
      if (!taken.has(id) && !isOwn(id)) throw new Error(`The code ${part} ${id}, which "${part}" in plugin.json does not name`)
    }
  }
  const provided = Object.values((code.provides ?? {}) as Tokens).map((token) => token.id)
  const unknown = provided.find((id) => !own.has(id))
  if (unknown) throw new Error(`The code provides ${unknown}, which "provides" in plugin.json does not name`)
  const missing = [...own].find((id) => !provided.includes(id))
  if (missing) throw new Error(`plugin.json provides ${missing}, the code does not`)
}

/**
 * Loads, migrates and activates one plugin into a scope that nobody sees yet.
 * @param provisional the view its `activate` may use: everything prepared before it
 * @throws with the reason; nothing of it is left then
 */
export async function startPlugin(
  plugin: DiscoveredPlugin,
  provisional: View,
  context: ContextServices,
  http: HttpServices,
): Promise<Running> {
  const { slug } = plugin.manifest
  const globals = guardedGlobals(slug, (kind, where, error) => void context.faults.charge(slug, kind, where, error))
  const activation = createActivation(plugin, context)
  const provided: Running['provided'] = new Map()
  const stop = async () => {
    await activation.stop()
    globals.dispose()
  }
  try {
    const own = { slug, request: null, view: provisional, own: true }
    const code = await scope.run(own, () => runIsolated(slug, () => loadCode(plugin, globals)))
    // What takes something away waits until the version before has stopped.
    await context.data.migrate(slug, code.migrations, 'expanded')
    if (code.server) {
      compareWithManifest(plugin, code.server)
      await scope.run(own, () => activate(slug, code.server as ServerPlugin, activation.ctx, context, provided))
    }
    const legacy = takeLegacyUses(slug)
    if (legacy.length > 0)
      context.log('warn', slug, `It was built with an older sdk and uses what goes with version 2: ${legacy.join(', ')}`)
    const app = await buildInstance(slug, activation.routes, http)
    return {
      ...plugin,
      code,
      provided,
      app,
      taps: activation.taps,
      extensions: activation.extensions,
      lives: activation.lives,
      routes: activation.routes,
      checks: activation.checks,
      tests: activation.tests,
      begin: activation.begin,
      quiesce: activation.quiesce,
      shut: activation.shut,
      stop: async () => {
        await stop()
        await app.close()
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function activate(
  slug: string,
  code: ServerPlugin,
  ctx: Parameters<NonNullable<ServerPlugin['activate']>>[1],
  { viewNow, activateTimeoutMs }: ContextServices,
  provided: Running['provided'],
): Promise<void> {
  const handles = {
    ...Object.fromEntries(Object.entries((code.needs ?? {}) as Tokens).map(([name, token]) => [name, needed(token, viewNow, slug)])),
    ...Object.fromEntries(Object.entries((code.wants ?? {}) as Tokens).map(([name, token]) => [name, wanted(token, viewNow, slug)])),
  }
  const result = (await withTimeout(
    activateTimeoutMs,
    'activate',
    runIsolated(slug, () => code.activate?.(handles as never, ctx)),
  )) as Record<string, unknown> | undefined
  for (const [name, token] of Object.entries((code.provides ?? {}) as Tokens)) {
    const implementation = result?.[name]
    if (implementation === undefined || implementation === null) throw new Error(`activate did not return "${name}" (${token.id})`)
    provided.set(token.id, { cardinality: token.cardinality, service: implementation })
  }
}
