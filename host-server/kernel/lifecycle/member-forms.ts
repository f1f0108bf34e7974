import type { ConfigField } from '@stoa/sdk'
import { baseErrors, fieldErrors } from '@stoa/sdk'
import type { KernelData } from '../../data/index.ts'
import type { DiscoveredPlugin } from '../../shared/types.ts'
import { memberSettingsWithDefaults } from '../runtime/activation.ts'
import { numbered } from '../runtime/number-settings.ts'
import { pick, secretsToRetype, wrongFields } from './config-values.ts'
import type { Lifecycle } from './lifecycle.ts'

/** Characters of one value; whoever has an account may send them. */
const MOST_CHARACTERS = 2_000

export interface MemberForms {
  /** Plugins that are on and have such a form. */
  slugs(): string[]
  /** The form with a person's values. @throws `base.request_format_error` for a plugin that is off or has none */
  form(slug: string, personId: number): Promise<ConfigField[]>
  /** @throws `base.request_format_error`, by field where a value is wrong */
  save(slug: string, personId: number, values: Record<string, unknown>): Promise<void>
}

/** What plugins let each member choose: `memberSettings` of their manifests. */
export function createMemberForms(lifecycle: () => Lifecycle, data: KernelData): MemberForms {
  const fieldsOf = ({ manifest }: Pick<DiscoveredPlugin, 'manifest'>): ConfigField[] => manifest.memberSettings ?? []
  const offering = () => lifecycle().view.plugins.filter((plugin) => fieldsOf(plugin).length > 0)
  const running = (slug: string) => {
    const plugin = offering().find(({ manifest }) => manifest.slug === slug)
    if (!plugin) throw baseErrors.request_format_error({ detail: `plugin_slug_name ${slug}` })
    return plugin
  }
  return {
    slugs: () => offering().map(({ manifest }) => manifest.slug),
    async form(slug, personId) {
      const plugin = running(slug)
      const values = await memberSettingsWithDefaults(plugin, personId, data)
      return fieldsOf(plugin).map((field) => ({ ...field, value: values[field.name] }))
    },
    async save(slug, personId, values) {
      const plugin = running(slug)
      const fields = fieldsOf(plugin)
      const [stored, given] = [await memberSettingsWithDefaults(plugin, personId, data), pick(fields, values)]
      const next = numbered(fields, { ...stored, ...given })
      const wrong = { ...secretsToRetype(fields, stored, given), ...tooLong(next), ...wrongFields(fields, next) }
      if (Object.keys(wrong).length > 0) throw fieldErrors(wrong, { limit: MOST_CHARACTERS })
      await data.memberSettings.set(slug, personId, next)
    },
  }
}

function tooLong(values: Record<string, unknown>): Record<string, string> {
  const long = Object.entries(values).filter(([, value]) => (JSON.stringify(value) ?? '').length > MOST_CHARACTERS)
  return Object.fromEntries(long.map(([name]) => [name, 'validation.max_length']))
}
