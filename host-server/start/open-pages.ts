import { join } from 'node:path'
import { pluginProblems } from '@stoa/sdk/kernel'
import { kernelHooks, sessionCookie, whoAsks } from '@stoa/sdk/server'
import { readCookie } from '../../sdk/pages/preferences.ts'
import { viewOf } from '../calls/instance.ts'
import type { Dispatcher } from '../http/dispatcher.ts'
import { withTimeout } from '../kernel/faults/with-timeout.ts'
import { PluginRejected } from '../kernel/plugin-set/plugin-rejected.ts'
import { scope } from '../kernel/runtime/scope.ts'
import type { View } from '../kernel/runtime/view.ts'
import type { Pages } from '../pages/index.ts'
import type { KernelState } from './kernel-state.ts'

/** Gets pages ready for the present set; a plugin that keeps them from it goes into quarantine. */
export async function openPages(state: KernelState, pages: Pages | null): Promise<void> {
  state.pages = pages
  for (;;) {
    try {
      return await pages?.prepare(state.lifecycle.view)
    } catch (error) {
      if (!(error instanceof PluginRejected)) throw error
      await state.lifecycle.quarantine(error.slug, pluginProblems.activation({ message: error.message }))
    }
  }
}

/** Pages of the set that is on whenever one is asked for; null without a build of core. */
export async function createSitePages(state: KernelState, dispatcher: Dispatcher): Promise<Pages | null> {
  const { options, data, faults } = state
  const { coreDir, hostDir } = options
  if (!coreDir) return null
  const { createPages } = await import('../pages/index.ts')
  return createPages({
    coreDir,
    hostDir,
    coreFiles: join(options.dataDir, 'core'),
    isDevelopment: options.isDevelopment ?? false,
    isPrepared: options.preparesPages ?? true,
    pageMs: state.limits.pageMs,
    waitingOfOne: state.limits.waitingOfOne,
    roomMs: state.limits.roomMs,
    set: (req) => (req && viewOf(req)) ?? state.lifecycle.view,
    onSwitch: (fn) => {
      state.onSwitch.add(fn)
      return () => state.onSwitch.delete(fn)
    },
    dispatch: (request) => dispatcher.inside(request),
    changes: () => data.database.changesKnown(),
    now: state.now,
    onFacts: data.onFacts,
    site: data.site,
    texts: (slug, language) => state.lifecycle.webTexts(slug, language),
    languages: () => state.lifecycle.view.texts.languages(),
    whoAsks: (req, person) => whoAsks({ person, ip: state.addressOf(req) }),
    wordsOf: ({ code, params }, language) => state.lifecycle.view.texts.text(code, params, language, data.site.language),
    served: (req, visit) => {
      const userAgent = req.headers['user-agent'] ?? ''
      void state.lifecycle.view.run(kernelHooks.documentServed as never, [{ ...visit, ip: state.addressOf(req), userAgent }])
    },
    mayListen: async (set, id, listener) => {
      const view = set as View
      const rule = view.listenRule(id)
      if (!rule) return false
      try {
        const asked = scope.run({ slug: rule.slug, request: null, view }, async () => rule.may(listener))
        return (await withTimeout(state.limits.tapMs, `Who may listen to ${id}`, asked)) === true
      } catch (error) {
        faults.charge(rule.slug, 'request', id, error)
        return false
      }
    },
    onPush: (fn) => data.pushes.on(fn),
    readCookieSession: async (cookie) => {
      const token = readCookie(cookie, sessionCookie.name)
      return token ? ((await data.credentials.authenticate(token))?.person ?? null) : null
    },
    measuring: state.measuring,
    log: (level, message, details) => options.log(level, 'pages', message, details),
    onFault: (slug, where, error) => void faults.charge(slug, 'page', where, error),
    onLoop: (slug, where, seconds) => void faults.loopInWorker(slug, where, seconds),
    onFull: (slug, where) => void faults.fullWorker(slug, where),
  })
}
