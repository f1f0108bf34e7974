import type { PluginAdmin } from '@stoa/sdk/administration'
import { kernelHooks, sessionCookie } from '@stoa/sdk/server'
import { readCookie } from '../../sdk/pages/preferences.ts'
import type { HttpServices } from '../calls/http-services.ts'
import { buildInstance } from '../calls/instance.ts'
import type { KernelData } from '../data/index.ts'
import type { Lifecycle } from '../kernel/lifecycle/lifecycle.ts'
import { createMemberForms } from '../kernel/lifecycle/member-forms.ts'
import type { PackageStore } from '../kernel/packages/store.ts'
import type { ContextServices } from '../kernel/runtime/activation.ts'
import { createActivation } from '../kernel/runtime/activation.ts'
import { FALLBACK_LANGUAGE, localeOf } from '../kernel/runtime/texts.ts'
import type { Running } from '../kernel/runtime/view.ts'
import type { DiscoveredPlugin, LocaleFile } from '../shared/types.ts'
import { deciding } from './deciding.ts'
import { openApiText } from './openapi.ts'
import { packageCalls } from './package-calls.ts'
import type { PluginCallServices } from './plugin-calls.ts'
import { pluginCalls } from './plugin-calls.ts'
import { isOfThisSite } from './same-site.ts'
import { setCalls } from './set-calls.ts'

/** Reports of one address in a minute that count. */
const MOST_REPORTS = 10

const description: DiscoveredPlugin = {
  manifest: {
    slug: 'kernel',
    version: '1.0.0',
    type: 'kernel',
    sdk: '*',
    contributes: {},
    build: { server: null, reads: null, migrations: null, web: null, locales: [] },
  },
  folder: '',
  files: '',
  generation: '0'.repeat(32),
  origin: 'bundled',
}

/** The kernel's own calls in the shape of a plugin, so that dispatch, guards and API document treat them alike. */
export async function kernelPlugin(options: {
  admin(): PluginAdmin
  lifecycle(): Lifecycle
  store: PackageStore
  data: KernelData
  context: ContextServices
  http: HttpServices
}): Promise<Running> {
  const { data, http } = options
  const activation = createActivation(description, options.context)
  /** A plugin's text in the caller's language, the site's, or English; whether the plugin is on or not. */
  const find = (slug: string, language: string, pick: (file: LocaleFile) => unknown): string | undefined => {
    const plugin = options.lifecycle().find(slug)
    const texts = plugin ? [language, data.site.language, FALLBACK_LANGUAGE].map((code) => pick(localeOf(plugin, code))) : []
    return texts.find((text): text is string => typeof text === 'string')
  }
  const services: PluginCallServices = {
    admin: options.admin,
    members: createMemberForms(options.lifecycle, data),
    rediscover: () => options.lifecycle().rediscover(),
    rowOf: (slug) =>
      options
        .admin()
        .list()
        .find((row) => row.slug === slug),
    describe: (slug, language) => ({
      name: find(slug, language, (file) => file.web?.plugin_name) ?? slug,
      description: find(slug, language, (file) => file.web?.plugin_description) ?? '',
    }),
    say(key, params, language, unknown) {
      const text = options.lifecycle().view.texts.text(key, params, language, data.site.language)
      return text === key ? unknown : text
    },
    translate: (slug, key, language) => find(slug, language, (file) => file.server?.[key]) ?? key,
    async cookieSession(headers) {
      const token = isOfThisSite(headers, data.site.url) ? readCookie(headers.cookie, sessionCookie.name) : undefined
      return token && (await data.credentials.authenticate(token)) ? token : null
    },
    async reported(slug, generation, message, ip) {
      const isKnown = options.lifecycle().view.plugins.some((plugin) => plugin.manifest.slug === slug && plugin.generation === generation)
      if (isKnown && (await data.limits.acquire('kernel.report', ip, MOST_REPORTS, 60))) options.context.faults.reported(slug, message)
    },
    siteLanguage: () => data.site.language,
    languages: () =>
      options
        .lifecycle()
        .view.texts.languages()
        .map(({ code }) => code),
    settingsSaved: async (saved) => void (await options.lifecycle().view.run(kernelHooks.settingsSaved as never, [saved])),
    seen: (visit) => void options.lifecycle().view.run(kernelHooks.documentServed as never, [visit]),
    openapi: () => openApiText(options.lifecycle().view, data.site),
  }
  const decided = deciding(services)
  const routes = [...pluginCalls(services), ...packageCalls(options.lifecycle, options.store, decided), ...setCalls(services, decided)]
  return {
    ...description,
    code: { server: null, reads: null, migrations: [] },
    provided: new Map(),
    // Switches start plugins, which takes its time and has limits of its own.
    app: await buildInstance('kernel', routes, { ...http, handlerTimeoutMs: 600_000 }),
    taps: activation.taps,
    extensions: activation.extensions,
    lives: activation.lives,
    routes,
    checks: [],
    tests: [],
    begin: activation.begin,
    quiesce: activation.quiesce,
    shut: activation.shut,
    stop: activation.stop,
  }
}
