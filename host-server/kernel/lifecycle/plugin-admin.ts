import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { CodedError } from '@stoa/sdk'
import { fieldErrors, isCodedError } from '@stoa/sdk'
import type { DatabaseChoice, PluginAdmin, PluginRow, SetupValues } from '@stoa/sdk/administration'
import type { Declaring } from '@stoa/sdk/kernel'
import { missingUse, offered, pluginErrors, pluginProblems, servicesOf, usesOf } from '@stoa/sdk/kernel'
import type { KernelData } from '../../data/index.ts'
import { acting } from '../../data/site/acting.ts'
import type { DiscoveredPlugin } from '../../shared/types.ts'
import type { FaultBook } from '../faults/fault-book.ts'
import type { PluginLoads } from '../faults/plugin-loads.ts'
import type { BrokenPlugin } from '../packages/scan-folders.ts'
import { CIRCLE } from '../plugin-set/resolve.ts'
import { settingsWithDefaults } from '../runtime/activation.ts'
import { numbered } from '../runtime/number-settings.ts'
import { scope } from '../runtime/scope.ts'
import { FALLBACK_LANGUAGE, localeOf } from '../runtime/texts.ts'
import type { Running } from '../runtime/view.ts'
import { pick, secretsToRetype, wrongFields } from './config-values.ts'
import type { Lifecycle } from './lifecycle.ts'
import { createPluginSets } from './plugin-sets.ts'

/** The kernel's view of plugins as the admin pages see it. */
export function createPluginAdmin(
  lifecycle: () => Lifecycle,
  data: KernelData,
  { faults, loads }: Books,
  now: () => number,
  setup: { init(choice: DatabaseChoice): Promise<void>; finish(values: SetupValues): Promise<void> },
): PluginAdmin {
  const known = (slug: string): DiscoveredPlugin => {
    const plugin = lifecycle().find(slug)
    if (!plugin) throw pluginErrors.not_found({ slug })
    return plugin
  }
  const running = (slug: string) => lifecycle().view.plugins.find(({ manifest }) => manifest.slug === slug)
  const testsOf = (slug: string) => running(slug)?.tests ?? []

  /** What would be stored. @throws fields that are wrong */
  async function checked(slug: string, values: Record<string, unknown>): Promise<Record<string, unknown>> {
    const plugin = known(slug)
    const fields = plugin.manifest.settings ?? []
    if (fields.length === 0) throw pluginErrors.no_settings({ slug })
    const [stored, given] = [settingsWithDefaults(plugin, data), pick(fields, values)]
    const next = numbered(fields, { ...stored, ...given })
    const wrong = { ...secretsToRetype(fields, stored, given), ...wrongFields(fields, next) }
    for (const check of running(slug)?.checks ?? []) Object.assign(wrong, await check(next))
    if (Object.keys(wrong).length > 0) throw fieldErrors(wrong)
    return next
  }

  async function tested(slug: string, values: Record<string, unknown>): Promise<void> {
    const wrong: Record<string, string> = {}
    for (const test of testsOf(slug)) Object.assign(wrong, await test(values))
    const list = Object.entries(wrong).map(([error_field, error_msg]) => ({ error_field, error_msg }))
    if (list.length > 0) throw pluginErrors.does_not_work({ slug }, list)
  }

  return {
    get epoch() {
      return lifecycle().epoch
    },
    list() {
      const now = lifecycle()
      const running = new Map(now.view.plugins.map((plugin) => [plugin.manifest.slug, plugin]))
      return [
        ...now.discovery.plugins.map((plugin) => rowOf(plugin, running.get(plugin.manifest.slug), now, { faults, loads })),
        ...now.discovery.broken.filter(({ slug }) => !now.find(slug)).map((broken) => brokenRow(broken, { faults, loads })),
        ...[...now.refused].map(([slug, problem]) => brokenRow({ slug, problem, origin: 'installed' }, { faults, loads })),
      ].sort((a, b) => a.slug.localeCompare(b.slug))
    },
    // Asked by a plugin, it is the decision of whoever asked that plugin.
    switch: (slug, on, confirm, along) => byRequest(() => lifecycle().switch(slug, on, confirm, false, along)),
    history: (query) => data.switches.page(query),
    async wentAlong() {
      const isOn = new Set(lifecycle().view.plugins.map(({ manifest }) => manifest.slug))
      const all = [...(await data.switches.wentAlong())].filter(([slug]) => !isOn.has(slug))
      return new Map(all.map(([slug, others]) => [slug, others.filter((other) => !isOn.has(other) && lifecycle().find(other))]))
    },
    sets: createPluginSets(lifecycle, data, now),
    describe(slug, language) {
      const plugin = lifecycle().find(slug)
      const languages = [language, data.site.language, FALLBACK_LANGUAGE]
      const text = (key: string) => {
        const found = plugin ? languages.map((code) => localeOf(plugin, code).web?.[key]) : []
        return found.find((one): one is string => typeof one === 'string')
      }
      return { name: text('plugin_name') ?? slug, description: text('plugin_description') ?? '' }
    },
    styles(slug) {
      const { folder, manifest } = known(slug)
      return (manifest.contributes.styles ?? []).map((file) => readFileSync(join(folder, file), 'utf8')).join('\n')
    },
    config(slug) {
      const plugin = known(slug)
      const fields = plugin.manifest.settings ?? []
      if (fields.length === 0) throw pluginErrors.no_settings({ slug })
      const values = settingsWithDefaults(plugin, data)
      return { slug, hasTest: testsOf(slug).length > 0, fields: fields.map((field) => ({ ...field, value: values[field.name] })) }
    },
    async saveConfig(slug, values, insist = false) {
      const next = await checked(slug, values)
      if (!insist) await tested(slug, next)
      await data.settings.set(slug, next)
    },
    testConfig: async (slug, values) => tested(slug, await checked(slug, values)),
    setup: { ...setup, code: data.setup.code, state: () => data.setup.state(), check: (choice) => data.setup.check(choice) },
  }
}

function byRequest<R>(work: () => R): R {
  const personId = scope.current().request?.person?.id ?? 0
  return acting.now().way === '' && personId > 0 ? acting.as({ way: 'page', personId }, work) : work()
}

interface Books {
  faults: FaultBook
  loads: PluginLoads
}

function rowOf(plugin: DiscoveredPlugin, running: Running | undefined, lifecycle: Lifecycle, { faults, loads }: Books): PluginRow {
  const { manifest } = plugin
  const held = lifecycle.problem(manifest.slug)
  const failing = running && faults.failing(manifest.slug)
  const problem = held ?? failing
  const refused = lifecycle.discovery.broken.filter((broken) => broken.slug === manifest.slug)
  const droppedFolder = refused.find((broken) => broken.origin === 'installed')?.problem
  const failure = problem?.message ?? lifecycle.reasons.get(manifest.slug) ?? droppedFolder?.message
  const other = droppedFolder ?? refused[0]?.problem
  const reason = failure ?? other?.message ?? ''
  const stored = lifecycle.reasons.get(manifest.slug)
  const said = problem ?? (stored === undefined ? other : wordsFor(stored, plugin, running, lifecycle))
  const { before, bundled } = lifecycle.versions(manifest.slug)
  const kept = held && (lifecycle.isQuarantined(manifest.slug) ? 'quarantined' : 'waiting')
  const { needs, neededBy } = neighboursOf(lifecycle.discovery.plugins, plugin)
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
    needs,
    neededBy,
    hasSettings: (manifest.settings ?? []).length > 0,
    origin: plugin.origin,
    versions: [plugin, ...before].map(({ manifest: { version }, origin }) => ({ version, origin })),
    comesWithSite: bundled !== undefined,
    link: manifest.link ?? '',
    author: manifest.author ?? '',
    ...webSize(plugin),
    load: loads.of(manifest.slug),
    adds: {
      pages: manifest.contributes.routes?.map((route) => route.path) ?? [],
      slots: manifest.contributes.slots?.map((slot) => slot.slot) ?? [],
      services: servicesOf(manifest),
      hooks: [...(running?.taps.keys() ?? [])],
      calls: running?.routes.map((route) => `${route.method} ${route.path}`) ?? [],
      contracts: Object.entries(manifest.provides ?? {}).map(([name, version]) => `${name} ${version}`),
    },
    without: running ? lifecycle.view.cuts.without(manifest.slug) : [],
    faults: faults.summary(manifest.slug),
  }
}

/** What a stored reason, which is English and technical, means. */
function wordsFor(
  message: string,
  { manifest }: DiscoveredPlugin,
  running: Running | undefined,
  { view, discovery }: Lifecycle,
): CodedError {
  if (running) return pluginProblems.newer_refused({ message })
  if (message.startsWith(CIRCLE)) return pluginProblems.circle({ path: message.slice(CIRCLE.length) })
  const use = missingUse(
    manifest,
    view.plugins.map((other) => other.manifest),
  )
  if (!use) return pluginProblems.activation({ message })
  const owner = discovery.plugins.find(
    (other) => other.manifest.provides?.[use.contract] !== undefined || other.manifest.slug === use.contract,
  )
  return pluginProblems.needs({ slug: owner?.manifest.slug ?? use.contract, range: use.range, message })
}

/** Whether one plugin needs something that the other has. */
const takesFrom = (one: Declaring, other: Declaring): boolean =>
  one !== other && usesOf(one).some((use) => use.isNeeded && use.kind !== 'services' && offered(other, use) !== undefined)

type Neighbours = Pick<PluginRow, 'needs' | 'neededBy'>
/** By the plugins that are there, and the same ones are asked about often: visitors may ask for the list too. */
const neighbours = new WeakMap<readonly DiscoveredPlugin[], Map<DiscoveredPlugin, Neighbours>>()

function neighboursOf(all: readonly DiscoveredPlugin[], plugin: DiscoveredPlugin): Neighbours {
  const known = neighbours.get(all) ?? new Map<DiscoveredPlugin, Neighbours>()
  neighbours.set(all, known)
  const { manifest } = plugin
  const found = known.get(plugin) ?? {
    needs: all.filter((other) => takesFrom(manifest, other.manifest)).map((other) => other.manifest.slug),
    neededBy: all.filter((other) => takesFrom(other.manifest, manifest)).map((other) => other.manifest.slug),
  }
  known.set(plugin, found)
  return found
}

type WebSize = Pick<PluginRow, 'webBytes' | 'webFiles'>
const sizes = new WeakMap<DiscoveredPlugin, WebSize>()

function webSize(plugin: DiscoveredPlugin): WebSize {
  const size = sizes.get(plugin) ?? measured(plugin)
  sizes.set(plugin, size)
  return size
}

function measured({ folder, manifest }: DiscoveredPlugin): WebSize {
  const { web } = manifest.build
  if (!web) return { webBytes: 0, webFiles: 0 }
  const files = new Set([web.entry, ...Object.values(web.modules).flatMap((module) => [...module.js, ...module.css])])
  const webBytes = [...files].reduce((sum, file) => sum + (statSync(join(folder, file), { throwIfNoEntry: false })?.size ?? 0), 0)
  return { webBytes, webFiles: files.size }
}

const brokenRow = (broken: Omit<BrokenPlugin, 'problem'> & { problem: Error }, { faults, loads }: Books): PluginRow => ({
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
  webFiles: 0,
  load: loads.of(broken.slug),
  adds: { pages: [], slots: [], services: [], hooks: [], calls: [], contracts: [] },
  without: [],
  faults: faults.summary(broken.slug),
})
