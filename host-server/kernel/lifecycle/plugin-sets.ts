import { isDeepStrictEqual } from 'node:util'
import type { ConfigField } from '@stoa/sdk'
import type { PluginSetPlan, PluginSets } from '@stoa/sdk/administration'
import { pluginErrors, pluginSetErrors } from '@stoa/sdk/kernel'
import type { KernelData } from '../../data/index.ts'
import type { DiscoveredPlugin } from '../../shared/types.ts'
import { settingsWithDefaults } from '../runtime/activation.ts'
import { numbered } from '../runtime/number-settings.ts'
import { pick, secretsToRetype, wrongFields } from './config-values.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { SetEntry } from './plugin-set-file.ts'
import { readSetFile, setFile } from './plugin-set-file.ts'

/** Fields whose value may stand in a file. */
const open = (plugin: DiscoveredPlugin): ConfigField[] =>
  (plugin.manifest.settings ?? []).filter(({ secret, type }) => !secret && type !== 'button' && type !== 'legend')

/** The whole set of plugins as a file, and back: a plan first, then all of it in one epoch. */
export function createPluginSets(lifecycle: () => Lifecycle, data: KernelData, now: () => number): PluginSets {
  const isOn = (slug: string) => lifecycle().view.plugins.some(({ manifest }) => manifest.slug === slug)

  function exported() {
    const entries = lifecycle().discovery.plugins.map((plugin): SetEntry => {
      const { slug, version } = plugin.manifest
      const values = settingsWithDefaults(plugin, data)
      const settings = Object.fromEntries(open(plugin).map(({ name }) => [name, values[name] ?? null]))
      return { slug, version, enabled: lifecycle().isWanted(slug), settings }
    })
    entries.sort((a, b) => a.slug.localeCompare(b.slug))
    return setFile(entries, new Date(now() * 1000).toISOString())
  }

  /** Settings that would change, and what a form would refuse of them. */
  async function settingsOf(entries: readonly SetEntry[]) {
    const changes: PluginSetPlan['settings'] = []
    const wrong: PluginSetPlan['problems'] = []
    const next = new Map<string, Record<string, unknown>>()
    for (const { slug, settings } of entries) {
      const plugin = lifecycle().find(slug)
      if (!plugin) continue
      const fields = open(plugin)
      const before = settingsWithDefaults(plugin, data)
      const given = Object.fromEntries(Object.entries(pick(fields, settings)).filter(([, value]) => value !== null))
      const after = numbered(plugin.manifest.settings ?? [], { ...before, ...given })
      const changed = fields.filter(({ name }) => !isDeepStrictEqual(before[name], after[name]))
      if (changed.length === 0) continue
      const errors = { ...secretsToRetype(plugin.manifest.settings ?? [], before, given), ...wrongFields(fields, after) }
      const running = lifecycle().view.plugins.find(({ manifest }) => manifest.slug === slug)
      for (const check of running?.checks ?? []) Object.assign(errors, await check(after))
      for (const [name, text] of Object.entries(errors))
        wrong.push({ code: 'setting', slug, field: titleOf(plugin.manifest.settings ?? [], name), text })
      changes.push({
        slug,
        fields: changed.map(({ name, title }) => ({ name, title, from: before[name] ?? null, to: after[name] ?? null })),
      })
      next.set(slug, after)
    }
    return { changes, wrong, next }
  }

  async function planned(file: unknown) {
    const entries = readSetFile(file)
    const { epoch, safeMode } = lifecycle()
    if (safeMode) throw pluginSetErrors.safe_mode()
    const known = entries.filter(({ slug }) => lifecycle().find(slug))
    const wish = {
      on: known.filter(({ slug, enabled }) => enabled && !isOn(slug)).map(({ slug }) => slug),
      off: known.filter(({ slug, enabled }) => !enabled && isOn(slug)).map(({ slug }) => slug),
    }
    const foreseen = await lifecycle().foresee(wish)
    const { changes, wrong, next } = await settingsOf(known)
    const stays = [...wish.off, ...foreseen.alsoOff].filter((slug) => lifecycle().find(slug)?.manifest.essential)
    const plan: PluginSetPlan = {
      epoch,
      ...wish,
      alsoOn: foreseen.alsoOn,
      alsoOff: foreseen.alsoOff,
      settings: changes,
      missing: entries.filter(({ slug }) => !lifecycle().find(slug)).map(({ slug, version, enabled }) => ({ slug, version, enabled })),
      otherVersions: known.flatMap(({ slug, version }) => {
        const here = lifecycle().find(slug)?.manifest.version ?? ''
        return here === version ? [] : [{ slug, asked: version, here }]
      }),
      notes: [...foreseen.notes],
      problems: [
        ...stays.map((slug) => ({ code: 'essential' as const, slug })),
        ...foreseen.unmet.map((slug) => ({ code: 'unmet' as const, slug })),
        ...wrong,
      ],
    }
    return { plan, wish, next }
  }

  return {
    export: exported,
    plan: async (file) => (await planned(file)).plan,
    async apply(file, confirm, withoutMissing) {
      const { plan, wish, next } = await planned(file)
      if (plan.epoch !== confirm) throw pluginErrors.busy({ epoch: plan.epoch })
      const refusal = plan.notes.find(({ refuses }) => refuses)
      if (plan.problems.length > 0 || refusal) throw pluginSetErrors.contradicts({ count: plan.problems.length + Number(Boolean(refusal)) })
      if (!withoutMissing && plan.missing.some(({ enabled }) => enabled))
        throw pluginSetErrors.missing({ names: plan.missing.map(({ slug }) => slug).join(', ') })
      await lifecycle().switchSet(wish, confirm)
      if (next.size > 0)
        await data.database.write(async () => {
          for (const [slug, values] of next) await data.settings.set(slug, values)
        })
    },
  }
}

const titleOf = (fields: readonly ConfigField[], name: string): string => fields.find((field) => field.name === name)?.title ?? name
