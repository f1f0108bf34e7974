import { fallback, oneOf, pageOf, paging, Type } from '@stoa/sdk/schema'
import type { ConfigField } from '../shared/manifest.ts'

const text = Type.String()
const texts = Type.Array(text)
const whole = Type.Integer()
const flag = Type.Boolean()
const origin = oneOf(['bundled', 'installed'])
const slug = Type.String({ minLength: 1, maxLength: 64 })
const none = Type.Null()

export const status = { reply: Type.Array(Type.Object({ slug_name: text, enabled: flag })) }

export const listedPlugin = Type.Object({
  name: text,
  slug_name: text,
  description: text,
  version: text,
  type: text,
  enabled: flag,
  /** `failing`: it is on, and what others get of it fails again and again. */
  state: oneOf(['on', 'off', 'failed', 'failing', 'quarantined', 'waiting']),
  reason: text,
  essential: flag,
  single: texts,
  needs: texts,
  needed_by: texts,
  have_config: flag,
  origin,
  versions: Type.Array(Type.Object({ version: text, origin })),
  /** Version that one can go back to; empty when there is none. */
  rollback_to: text,
  comes_with_site: flag,
  link: text,
  author: text,
  web_bytes: whole,
  web_files: whole,
  requests: whole,
  /** Of its calls since the server started; times in milliseconds. */
  load: Type.Object({ requests: whole, failed: whole, ms: whole, slowest: whole }),
  adds: Type.Object({ pages: texts, slots: texts, services: texts, hooks: texts, calls: texts, contracts: texts }),
  /** While it is off: what went off along with it, and could come back with it. */
  brings_back: texts,
  /** Contracts that it works without: it was built for another version than the one that is on. */
  without: Type.Array(Type.Object({ contract: text, range: text, version: text })),
  /** Since the server started. `at` in unix seconds. */
  faults: Type.Object({
    count: whole,
    slow: whole,
    last: Type.Union([Type.Null(), Type.Object({ at: whole, kind: text, where: text, message: text })]),
    reported: whole,
    lastReport: text,
  }),
  epoch: whole,
})
export const list = {
  query: Type.Object({ status: Type.Optional(oneOf(['active', 'inactive', ''])), have_config: Type.Optional(flag) }),
  reply: Type.Array(listedPlugin),
}

export const switched = {
  body: Type.Object({
    plugin_slug_name: slug,
    enabled: flag,
    confirm: Type.Optional(whole),
    /** Further plugins that go on with it, such as those that it `brings_back`. */
    with: Type.Optional(Type.Array(slug, { maxItems: 200 })),
  }),
  reply: none,
}

export const history = {
  query: Type.Object({ ...paging(20), plugin_slug_name: Type.Optional(slug) }),
  reply: pageOf(
    Type.Object({
      at: whole,
      slug_name: text,
      name: text,
      deed: oneOf(['on', 'off', 'version', 'removed', 'safe_on', 'safe_off']),
      version: text,
      /** Name of the plugin that it went along with; empty where it was switched by itself. */
      cause: text,
      way: oneOf(['page', 'rescue', 'command', '']),
      by: text,
    }),
  ),
}

const setChange = Type.Object({ slug_name: text, name: text })
export const setPlan = Type.Object({
  epoch: whole,
  on: Type.Array(setChange),
  off: Type.Array(setChange),
  also_on: Type.Array(setChange),
  also_off: Type.Array(setChange),
  settings: Type.Array(
    Type.Object({
      slug_name: text,
      name: text,
      fields: Type.Array(Type.Object({ title: text, from: Type.Unknown(), to: Type.Unknown() })),
    }),
  ),
  missing: Type.Array(Type.Object({ slug_name: text, version: text, enabled: flag })),
  other_versions: Type.Array(Type.Object({ slug_name: text, name: text, asked: text, here: text })),
  notes: texts,
  /** While there is one, the file is not applied. */
  problems: texts,
})
const setBody = { set: Type.Unknown() }
export const exportSet = { reply: Type.Unknown() }
export const planSet = { body: Type.Object(setBody), reply: setPlan }
export const applySet = { body: Type.Object({ ...setBody, confirm: whole, without_missing: fallback(flag, false) }), reply: none }

const optional = Type.Optional(text)
const fieldTypes = [
  'input',
  'textarea',
  'checkbox',
  'radio',
  'select',
  'upload',
  'timezone',
  'switch',
  'button',
  'legend',
  'tag_selector',
] as const satisfies readonly ConfigField['type'][]
const configField = Type.Object({
  name: text,
  type: oneOf(fieldTypes),
  title: text,
  description: text,
  required: flag,
  /** Of a secret that is set, a mask. */
  value: Type.Unknown(),
  secret: Type.Optional(flag),
  ui_options: Type.Object({
    placeholder: optional,
    rows: optional,
    input_type: optional,
    label: optional,
    text: optional,
    variant: optional,
    class_name: optional,
    field_class_name: optional,
    action: Type.Optional(
      Type.Object({
        url: text,
        method: optional,
        loading: Type.Optional(Type.Object({ text, state: oneOf(['none', 'pending', 'completed']) })),
        on_complete: Type.Optional(Type.Object({ toast_return_message: Type.Optional(flag), refresh_form_config: Type.Optional(flag) })),
      }),
    ),
  }),
  options: Type.Array(Type.Object({ label: text, value: text })),
})
export const config = {
  query: Type.Object({ plugin_slug_name: slug }),
  reply: Type.Object({
    name: text,
    description: text,
    slug_name: text,
    version: text,
    has_test: flag,
    config_fields: Type.Array(configField),
  }),
}
const given = { plugin_slug_name: slug, config_fields: fallback(Type.Record(Type.String(), Type.Unknown()), {}) }
export const testConfig = { body: Type.Object(given), reply: none }
/** `insist`: also with values that do not work. */
export const saveConfig = { body: Type.Object({ ...given, insist: Type.Optional(flag) }), reply: none }

export const memberConfigs = { reply: Type.Array(Type.Object({ name: text, slug_name: text })) }
export const memberConfig = {
  query: Type.Object({ plugin_slug_name: slug }),
  reply: Type.Object({ name: text, slug_name: text, config_fields: Type.Array(configField) }),
}

export const install = {
  body: Type.Object({ file: Type.String({ format: 'binary' }) }),
  reply: Type.Object({ plugin_slug_name: text, version: text }),
}
export const rollback = { body: Type.Object({ plugin_slug_name: slug, force: Type.Optional(flag) }), reply: none }
export const remove = { body: Type.Object({ plugin_slug_name: slug, confirm: Type.Optional(whole) }), reply: none }
export const eraseData = { body: Type.Object({ plugin_slug_name: slug }), reply: none }
export const safeMode = { body: Type.Object({ enabled: flag }), reply: none }

export const fault = {
  body: Type.Object({ slug, generation: Type.String({ maxLength: 64 }), message: Type.String({ maxLength: 300 }) }),
  reply: none,
}
export const session = { reply: Type.Object({ access_token: Type.Union([text, Type.Null()]) }) }
export const seen = { body: Type.Object({ path: Type.String({ maxLength: 1000, pattern: '^/' }) }), reply: none }
export const openapi = { reply: Type.Unknown() }
