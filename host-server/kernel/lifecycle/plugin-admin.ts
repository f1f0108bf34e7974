import { statSync } from 'node:fs'
import { join } from 'node:path'
import { fieldErrors, isCodedError } from '@stoa/sdk'
import type { DatabaseChoice, PluginAdmin, PluginRow, SetupValues } from '@stoa/sdk/administration'
import type { Declaring } from '@stoa/sdk/kernel'
import { offered, pluginErrors, servicesOf, usesOf } from '@stoa/sdk/kernel'
import type { KernelData } from '../../data/index.ts'
import type { DiscoveredPlugin } from '../../shared/types.ts'
import type { FaultBook } from '../faults/fault-book.ts'
import type { BrokenPlugin } from '../packages/scan-folders.ts'
import { settingsWithDefaults } from '../runtime/activation.ts'
import { numbered } from '../runtime/number-settings.ts'
import type { Running } from '../runtime/view.ts'
import { pick, wrongFields } from './config-values.ts'
import type { Lifecycle } from './lifecycle.ts'

/** The kernel's view of plugins as the admin pages see it. */
export function createPluginAdmin(
  lifecycle: () => Lifecycle,
  data: KernelData,
  faults: FaultBook,
  setup: { init(choice: DatabaseChoice): Promise<void>; finish(values: SetupValues): Promise<void> },
): PluginAdmin {
  const known = (slug: string): DiscoveredPlugin => {
    const plugin = lifecycle().find(slug)
    if (!plugin) throw pluginErrors.not_found({ slug })
    return plugin
  }
  return {
    get epoch() {
      return lifecycle().epoch
    },
    list() {
      const now = lifecycle()
      const running = new Map(now.view.plugins.map((plugin) => [plugin.manifest.slug, plugin]))
      return [
        ...now.discovery.plugins.map((plugin) => rowOf(plugin, running.get(plugin.manifest.slug), now, faults)),
        ...now.discovery.broken.filter(({ slug }) => !now.find(slug)).map((broken) => brokenRow(broken, faults)),
        ...[...now.refused].map(([slug, problem]) => brokenRow({ slug, problem, origin: 'installed' }, faults)),
      ].sort((a, b) => a.slug.localeCompare(b.slug))
    },
    switch: (slug, on, confirm) => lifecycle().switch(slug, on, confirm),
    config(slug) {
      const plugin = known(slug)
      const fields = plugin.manifest.settings ?? []
      if (fields.length === 0) throw pluginErrors.no_settings({ slug })
      const values = settingsWithDefaults(plugin, data)
      return { slug, fields: fields.map((field) => ({ ...field, value: values[field.name] })) }
    },
    async saveConfig(slug, values) {
      const plugin = known(slug)
      const fields = plugin.manifest.settings ?? []
      if (fields.length === 0) throw pluginErrors.no_settings({ slug })
      const next = numbered(fields, { ...settingsWithDefaults(plugin, data), ...pick(fields, values) })
      const wrong = wrongFields(fields, next)
      for (const check of lifecycle().view.plugins.find((running) => running.manifest.slug === slug)?.checks ?? []) {
        Object.assign(wrong, await check(next))
      }
      if (Object.keys(wrong).length > 0) throw fieldErrors(wrong)
      await data.settings.set(slug, next)
    },
    setup: { ...setup, code: data.setup.code, state: () => data.setup.state(), check: (choice) => data.setup.check(choice) },
  }
}

function rowOf(plugin: DiscoveredPlugin, running: Running | undefined, lifecycle: Lifecycle, faults: FaultBook): PluginRow {
  const { manifest } = plugin
  const held = lifecycle.problem(manifest.slug)
  const failing = running && faults.failing(manifest.slug)
  const problem = held ?? failing
  const refused = lifecycle.discovery.broken.filter((broken) => broken.slug === manifest.slug)
  const droppedFolder = refused.find((broken) => broken.origin === 'installed')?.problem
  const failure = problem?.message ?? lifecycle.reasons.get(manifest.slug) ?? droppedFolder?.message
  const other = droppedFolder ?? refused[0]?.problem
  const reason = failure ?? other?.message ?? ''
  // A reason that was stored has no other words than its own.
  const said = problem ?? (lifecycle.reasons.has(manifest.slug) ? undefined : other)
  const { before, bundled } = lifecycle.versions(manifest.slug)
  const kept = held && (lifecycle.isQuarantined(manifest.slug) ? 'quarantined' : 'waiting')
  const all = lifecycle.discovery.plugins
  return {
    slug: manifest.slug,
    version: manifest.version,
    type: manifest.type,
    state: running ? 'on' : (kept ?? (failure ? 'failed' : 'off')),
    failing: failing !== undefined,
    reason,
    ...(said && { problem: { code: said.code, params: said.params } }),
    essential: manifest.essential ?? false,
    single: manifest.single ?? [],
    needs: all.filter((other) => takesFrom(manifest, other.manifest)).map((other) => other.manifest.slug),
    neededBy: all.filter((other) => takesFrom(other.manifest, manifest)).map((other) => other.manifest.slug),
    hasSettings: (manifest.settings ?? []).length > 0,
    origin: plugin.origin,
    versions: [plugin, ...before].map(({ manifest: { version }, origin }) => ({ version, origin })),
    comesWithSite: bundled !== undefined,
    link: manifest.link ?? '',
    author: manifest.author ?? '',
    webBytes: webBytes(plugin),
    requests: running?.requests ?? 0,
    adds: {
      pages: manifest.contributes.routes?.map((route) => route.path) ?? [],
      slots: manifest.contributes.slots?.map((slot) => slot.slot) ?? [],
      services: servicesOf(manifest),
      hooks: [...(running?.taps.keys() ?? [])],
    },
    without: running ? lifecycle.view.cuts.without(manifest.slug) : [],
    faults: faults.summary(manifest.slug),
  }
}

/** Whether one plugin needs something that the other has. */
const takesFrom = (one: Declaring, other: Declaring): boolean =>
  one !== other && usesOf(one).some((use) => use.isNeeded && use.kind !== 'services' && offered(other, use) !== undefined)

function webBytes({ folder, manifest }: DiscoveredPlugin): number {
  const { web } = manifest.build
  if (!web) return 0
  const files = new Set([web.entry, ...Object.values(web.modules).flatMap((module) => [...module.js, ...module.css])])
  return [...files].reduce((sum, file) => sum + (statSync(join(folder, file), { throwIfNoEntry: false })?.size ?? 0), 0)
}

const brokenRow = (broken: Omit<BrokenPlugin, 'problem'> & { problem: Error }, faults: FaultBook): PluginRow => ({
  slug: broken.slug,
  version: '',
  type: '',
  state: 'failed',
  failing: false,
  reason: broken.problem.message,
  ...(isCodedError(broken.problem) && { problem: { code: broken.problem.code, params: broken.problem.params } }),
  essential: false,
  single: [],
  needs: [],
  neededBy: [],
  hasSettings: false,
  origin: broken.origin,
  versions: [],
  comesWithSite: false,
  link: '',
  author: '',
  webBytes: 0,
  requests: 0,
  adds: { pages: [], slots: [], services: [], hooks: [] },
  without: [],
  faults: faults.summary(broken.slug),
})
