import type { PluginAdmin, Route } from '@stoa/sdk/server'
import { protocol, route, Type } from '@stoa/sdk/server'

const SECRET_MASK = '******'

const pluginName = Type.String({ minLength: 1, maxLength: 64 })

export interface PluginCallServices {
  admin(): PluginAdmin
  /** Looks for plugins that were put into the data directory; for admins only, it reads the disk. */
  rediscover(): void
  /** Name and description of a plugin in the caller's language, whether it is on or not. */
  describe(slug: string, language: string): { name: string; description: string }
  /** A text of the kernel; `unknown` where no active plugin has it. */
  say(key: string, params: Record<string, unknown>, language: string, unknown: string): string
  translate(slug: string, key: string, language: string): string
  openapi(): unknown
  /** A browser says that a plugin's code failed in it. */
  reported(slug: string, generation: string, message: string, ip: string): Promise<void>
}

/** The calls that manage plugins; answered by the kernel so that no switch can take them away. */
export function pluginCalls(services: PluginCallServices): Route[] {
  const { admin } = services
  return [
    route({
      method: 'GET',
      path: `${protocol.public}/plugin/status`,
      access: 'open',
      summary: 'Every plugin and whether it is on; the epoch is the ETag.',
      reply: Type.Array(Type.Object({ slug_name: Type.String(), enabled: Type.Boolean() })),
      handle(_request, reply) {
        reply.header('etag', `"${admin().epoch}"`)
        reply.header('x-stoa-epoch', String(admin().epoch))
        return admin()
          .list()
          .map((plugin) => ({ slug_name: plugin.slug, enabled: plugin.state === 'on' }))
      },
    }),
    route({
      method: 'GET',
      path: `${protocol.admin}/plugins`,
      access: 'admin',
      summary: 'Plugins with state, reason and what depends on what.',
      query: Type.Object({
        status: Type.Optional(Type.Union([Type.Literal('active'), Type.Literal('inactive'), Type.Literal('')])),
        have_config: Type.Optional(Type.Boolean()),
      }),
      reply: Type.Array(
        Type.Object(
          {
            name: Type.String(),
            slug_name: Type.String(),
            description: Type.String(),
            version: Type.String(),
            enabled: Type.Boolean(),
            have_config: Type.Boolean(),
            link: Type.String(),
          },
          { additionalProperties: true },
        ),
      ),
      handle({ query, language }) {
        services.rediscover()
        return admin()
          .list()
          .filter((plugin) => !query.status || (plugin.state === 'on') === (query.status === 'active'))
          .filter((plugin) => query.have_config === undefined || plugin.hasSettings === query.have_config)
          .map(({ slug, hasSettings, webBytes, neededBy, comesWithSite, problem, failing, ...plugin }) => ({
            ...plugin,
            // Who shows it has one word for it.
            state: failing ? 'failing' : plugin.state,
            reason: problem ? services.say(problem.code, problem.params, language, plugin.reason) : plugin.reason,
            ...services.describe(slug, language),
            slug_name: slug,
            enabled: plugin.state === 'on',
            have_config: hasSettings,
            needed_by: neededBy,
            web_bytes: webBytes,
            rollback_to: plugin.versions[1]?.version ?? '',
            comes_with_site: comesWithSite,
            epoch: admin().epoch,
          }))
      },
    }),
    route({
      method: 'PUT',
      path: `${protocol.admin}/plugin/status`,
      access: 'admin',
      summary: 'Switches a plugin. One that would take others along needs `confirm` with the epoch of the refusal.',
      body: Type.Object({ plugin_slug_name: pluginName, enabled: Type.Boolean(), confirm: Type.Optional(Type.Integer()) }),
      reply: Type.Null(),
      async handle({ body }) {
        await admin().switch(body.plugin_slug_name, body.enabled, body.confirm)
      },
    }),
    route({
      method: 'GET',
      path: `${protocol.admin}/plugin/config`,
      access: 'admin',
      summary: 'Settings form of a plugin with its values; secrets are masked.',
      query: Type.Object({ plugin_slug_name: pluginName }),
      reply: Type.Object({}, { additionalProperties: true }),
      handle({ query, language }) {
        const slug = query.plugin_slug_name
        const form = admin().config(slug)
        const say = (key: string | undefined) => (key ? services.translate(slug, key, language) : key)
        const row = admin()
          .list()
          .find((plugin) => plugin.slug === slug)
        return {
          ...services.describe(slug, language),
          slug_name: slug,
          version: row?.version ?? '',
          config_fields: form.fields.map((field) => ({
            ...field,
            title: say(field.title),
            description: say(field.description) ?? '',
            required: field.required ?? false,
            value: field.secret && field.value ? SECRET_MASK : (field.value ?? ''),
            ui_options: {
              ...field.ui_options,
              placeholder: say(field.ui_options?.placeholder),
              label: say(field.ui_options?.label),
              text: say(field.ui_options?.text),
            },
            options: field.options?.map((option) => ({ ...option, label: say(option.label) })) ?? [],
          })),
        }
      },
    }),
    route({
      method: 'PUT',
      path: `${protocol.admin}/plugin/config`,
      access: 'admin',
      summary: 'Saves the settings form of a plugin.',
      body: Type.Object({ plugin_slug_name: pluginName, config_fields: Type.Record(Type.String(), Type.Unknown(), { default: {} }) }),
      reply: Type.Null(),
      async handle({ body }) {
        const { fields } = admin().config(body.plugin_slug_name)
        const values = { ...body.config_fields }
        for (const field of fields) if (field.secret && values[field.name] === SECRET_MASK) delete values[field.name]
        await admin().saveConfig(body.plugin_slug_name, values)
      },
    }),
    route({
      method: 'POST',
      path: '/stoa/faults',
      access: 'open',
      summary: 'What a browser saw fail in the code of a plugin. Shown to admins as hearsay; changes nothing.',
      bodyLimit: 4096,
      body: Type.Object({
        slug: pluginName,
        generation: Type.String({ maxLength: 64 }),
        message: Type.String({ maxLength: 300 }),
      }),
      reply: Type.Null(),
      async handle({ body, ip }) {
        await services.reported(body.slug, body.generation, body.message, ip)
      },
    }),
    route({
      method: 'GET',
      path: '/openapi.json',
      access: 'open',
      raw: 'application/json; charset=utf-8',
      summary: 'This document.',
      reply: Type.Unknown(),
      handle: () => JSON.stringify(services.openapi()),
    }),
  ]
}
