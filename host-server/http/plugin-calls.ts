import type { IncomingHttpHeaders } from 'node:http'
import type { ConfigField } from '@stoa/sdk'
import { call } from '@stoa/sdk'
import type { PluginAdmin } from '@stoa/sdk/administration'
import { pluginCalls as calls } from '@stoa/sdk/administration'
import type { Route, SettingChange, SettingsSaved, Visit } from '@stoa/sdk/server'
import { route, settingChanges } from '@stoa/sdk/server'
import * as schemas from '../../sdk/administration/plugin-call-schemas.ts'
import { SESSION_PATH } from '../../sdk/pages/page-state.ts'
import type { MemberForms } from '../kernel/lifecycle/member-forms.ts'
import type { Words } from './deciding.ts'
import { deciding, reasonIn } from './deciding.ts'

const SECRET_MASK = '******'

/** A mask that comes back leaves the secret as it is. */
function unmasked(fields: readonly ConfigField[], values: Record<string, unknown>): Record<string, unknown> {
  const hidden = new Set(fields.filter((field) => field.secret && values[field.name] === SECRET_MASK).map(({ name }) => name))
  return Object.fromEntries(Object.entries(values).filter(([name]) => !hidden.has(name)))
}

const valuesOf = (fields: readonly ConfigField[]) => Object.fromEntries(fields.map(({ name, value }) => [name, value]))

/** What the pages of the site tell the kernel, and ask it for. */
const pageCalls = {
  fault: call.post<typeof schemas.fault>('/stoa/faults'),
  session: call.post<typeof schemas.session>(SESSION_PATH),
  seen: call.post<typeof schemas.seen>('/stoa/seen'),
  openapi: call.get<typeof schemas.openapi>('/openapi.json'),
}

export interface PluginCallServices extends Words {
  admin(): PluginAdmin
  readonly members: MemberForms
  /** Looks for plugins that were put into the data directory; for admins only, it reads the disk. */
  rediscover(): void
  /** Description of a plugin too. */
  describe(slug: string, language: string): { name: string; description: string }
  translate(slug: string, key: string, language: string): string
  /** JSON. */
  openapi(): string
  /** Token of the session that a page of this site has by its cookie alone. */
  cookieSession(headers: IncomingHttpHeaders): Promise<string | null>
  /** A browser says that a plugin's code failed in it. */
  reported(slug: string, generation: string, message: string, ip: string): Promise<void>
  siteLanguage(): string
  /** Codes of what the site speaks. */
  languages(): string[]
  /** An admin has saved the settings of a plugin. */
  settingsSaved(saved: SettingsSaved): Promise<void>
  /** Somebody is shown a page whose data was fetched ahead. */
  seen(visit: Visit): void
}

/** The calls that manage plugins; answered by the kernel so that no switch can take them away. */
export function pluginCalls(services: PluginCallServices): Route[] {
  const { admin, members } = services
  const decided = deciding(services)
  /** Fields as they go out: texts in the reader's language, no secrets. */
  const sent = (slug: string, fields: readonly ConfigField[], language: string) => {
    const say = (key: string) => services.translate(slug, key, language)
    const sayOr = <E>(key: string | undefined, empty: E) => (key ? say(key) : empty)
    return fields.map(({ belongs_to: _, ...field }) => ({
      ...field,
      title: say(field.title),
      description: sayOr(field.description, ''),
      required: field.required ?? false,
      value: field.secret && field.value ? SECRET_MASK : (field.value ?? ''),
      ui_options: {
        ...field.ui_options,
        placeholder: sayOr(field.ui_options?.placeholder, undefined),
        label: sayOr(field.ui_options?.label, undefined),
        text: sayOr(field.ui_options?.text, undefined),
      },
      options: field.options?.map((option) => ({ ...option, label: say(option.label) })) ?? [],
    }))
  }
  const changesTo = (before: readonly ConfigField[], after: readonly ConfigField[]): SettingChange[] => {
    const named = new Map(after.map((field) => [field.name, field]))
    const say = (name: string, value: unknown) => {
      const option = named.get(name)?.options?.find((one) => one.value === value)
      return option && { text: option.label }
    }
    const secrets = after.filter((field) => field.secret).map(({ name }) => name)
    return settingChanges(valuesOf(before), valuesOf(after), secrets, say).map((change) => {
      const { ui_options, title = change.field } = named.get(change.field) ?? {}
      return { ...change, field: ui_options?.label ?? title }
    })
  }
  /** Texts of a plugin that is off are known here alone. */
  const textsOf = (slug: string, changes: readonly SettingChange[]) => {
    const keys = changes.flatMap(({ field, from, to }) => [
      field,
      ...[from, to].flatMap((value) => (typeof value === 'object' ? value.text : [])),
    ])
    const unknown = keys.filter((key) => services.say(key, {}, services.siteLanguage(), '') === '')
    const inEach = (key: string) => Object.fromEntries(services.languages().map((code) => [code, services.translate(slug, key, code)]))
    return new Map(unknown.map((key) => [key, inEach(key)]))
  }
  return [
    route(calls.status, schemas.status, {
      access: 'open',
      summary: 'Every plugin and whether it is on; the epoch is the ETag. Who sends it along is told by 304 that none was switched since.',
      handle(_request, reply) {
        reply.header('etag', `"${admin().epoch}"`)
        reply.header('x-stoa-epoch', String(admin().epoch))
        reply.header('cache-control', 'no-cache')
        return admin()
          .list()
          .map((plugin) => ({ slug_name: plugin.slug, enabled: plugin.state === 'on' }))
      },
    }),
    route(calls.list, schemas.list, {
      access: 'admin',
      summary: 'Plugins with state, reason and what depends on what.',
      async handle({ query, language }) {
        services.rediscover()
        const along = await admin().wentAlong()
        return admin()
          .list()
          .filter((plugin) => !query.status || (plugin.state === 'on') === (query.status === 'active'))
          .filter((plugin) => query.have_config === undefined || plugin.hasSettings === query.have_config)
          .map(({ slug, hasSettings, webBytes, webFiles, neededBy, comesWithSite, problem, failing, load, ...plugin }) => ({
            ...plugin,
            // Who shows it has one word for it.
            state: failing ? 'failing' : plugin.state,
            reason: reasonIn(services, { problem, reason: plugin.reason }, language),
            ...services.describe(slug, language),
            slug_name: slug,
            enabled: plugin.state === 'on',
            have_config: hasSettings,
            needed_by: neededBy,
            web_bytes: webBytes,
            web_files: webFiles,
            requests: load.requests,
            load,
            brings_back: [...(along.get(slug) ?? [])],
            rollback_to: plugin.versions[1]?.version ?? '',
            comes_with_site: comesWithSite,
            epoch: admin().epoch,
          }))
      },
    }),
    route(calls.switch, schemas.switched, {
      access: 'admin',
      summary: 'Switches a plugin. One that would take others along needs `confirm` with the epoch of the refusal.',
      handle: ({ body, person, language }) =>
        decided(person, language, () => admin().switch(body.plugin_slug_name, body.enabled, body.confirm, body.with)),
    }),
    route(calls.config, schemas.config, {
      access: 'admin',
      summary: 'Settings form of a plugin with its values; secrets are masked.',
      handle({ query, language }) {
        const slug = query.plugin_slug_name
        const form = admin().config(slug)
        const row = admin()
          .list()
          .find((plugin) => plugin.slug === slug)
        return {
          ...services.describe(slug, language),
          slug_name: slug,
          version: row?.version ?? '',
          has_test: form.hasTest,
          config_fields: sent(slug, form.fields, language),
        }
      },
    }),
    route(calls.saveConfig, schemas.saveConfig, {
      access: 'admin',
      summary: 'Saves the settings form of a plugin.',
      async handle({ body, person }) {
        const slug = body.plugin_slug_name
        const { fields } = admin().config(slug)
        await admin().saveConfig(slug, unmasked(fields, body.config_fields), body.insist)
        const changes = changesTo(fields, admin().config(slug).fields)
        await services.settingsSaved({
          page: `/admin/${slug}`,
          label: services.describe(slug, services.siteLanguage()).name,
          personId: person.id,
          changes,
          texts: textsOf(slug, changes),
        })
      },
    }),
    route(calls.testConfig, schemas.testConfig, {
      access: 'admin',
      summary: 'Tries settings of a plugin without saving them; those that do not work are refused as on saving.',
      limit: { action: 'kernel.test_settings', max: 60, seconds: 600, countsStaff: true },
      async handle({ body }) {
        const { fields } = admin().config(body.plugin_slug_name)
        await admin().testConfig(body.plugin_slug_name, unmasked(fields, body.config_fields))
      },
    }),
    route(calls.memberConfigs, schemas.memberConfigs, {
      access: 'active',
      summary: 'Plugins that let each member choose something.',
      handle: ({ language }) =>
        members
          .slugs()
          .map((slug) => ({ name: services.describe(slug, language).name, slug_name: slug }))
          .sort((a, b) => a.name.localeCompare(b.name, language.replace('_', '-'))),
    }),
    route(calls.memberConfig, schemas.memberConfig, {
      access: 'active',
      summary: 'What a plugin lets each member choose, with the own values; secrets are masked.',
      async handle({ query, language, person }) {
        const slug = query.plugin_slug_name
        const fields = await members.form(slug, person.id)
        return { name: services.describe(slug, language).name, slug_name: slug, config_fields: sent(slug, fields, language) }
      },
    }),
    route(calls.saveMemberConfig, schemas.testConfig, {
      access: 'active',
      summary: 'Saves what the member has chosen for a plugin.',
      limit: { action: 'kernel.member_settings', max: 60, seconds: 600 },
      bodyLimit: 65_536,
      async handle({ body, person }) {
        const fields = await members.form(body.plugin_slug_name, person.id)
        await members.save(body.plugin_slug_name, person.id, unmasked(fields, body.config_fields))
      },
    }),
    route(pageCalls.fault, schemas.fault, {
      access: 'open',
      summary: 'What a browser saw fail in the code of a plugin. Shown to admins as hearsay; changes nothing.',
      bodyLimit: 4096,
      async handle({ body, ip }) {
        await services.reported(body.slug, body.generation, body.message, ip)
      },
    }),
    route(pageCalls.session, schemas.session, {
      access: 'open',
      summary: 'Token of a session that a form without scripts has opened, for the scripts of the site; null where there is none.',
      bodyLimit: 1024,
      handle: async ({ headers }) => ({ access_token: await services.cookieSession(headers) }),
    }),
    route(pageCalls.seen, schemas.seen, {
      access: 'visitor',
      summary: 'A page whose data was fetched ahead is shown now.',
      bodyLimit: 4096,
      handle({ body, ip, person, headers }) {
        services.seen({ path: body.path, ip, person, userAgent: headers['user-agent'] ?? '' })
      },
    }),
    route(pageCalls.openapi, schemas.openapi, {
      access: 'open',
      raw: 'application/json; charset=utf-8',
      summary: 'This document.',
      handle: () => services.openapi(),
    }),
  ]
}
