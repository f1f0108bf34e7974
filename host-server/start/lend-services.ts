import { join } from 'node:path'
import { baseErrors } from '@stoa/sdk'
import { sessionCookie, whoAsks } from '@stoa/sdk/server'
import { readCookie } from '../../sdk/pages/preferences.ts'
import type { HttpServices } from '../calls/http-services.ts'
import { createIncomingFiles } from '../calls/incoming-files.ts'
import { tokenOf } from '../data/identity/sessions.ts'
import { createOutgoing } from '../data/services/outgoing.ts'
import type { ContextServices } from '../kernel/runtime/activation.ts'
import { scope } from '../kernel/runtime/scope.ts'
import type { KernelState } from './kernel-state.ts'

/** Within which the same body by the same person is refused. */
const DUPLICATE_SECONDS = 300
const DUPLICATE = 'kernel.duplicate'

/** Writes that one address may send in a minute; a busy person behind it sends a few. */
const MAX_WRITES_A_MINUTE = 300

/** What the kernel lends to each plugin's routes. */
export function httpServices(state: KernelState): HttpServices {
  const { data, options, now } = state
  return {
    site: data.site,
    authenticate: (authorization) => {
      const token = tokenOf(authorization)
      return token ? data.credentials.authenticate(token) : null
    },
    known: (authorization) => data.credentials.sessions.known(tokenOf(authorization) ?? ''),
    authenticateBrowser: async (cookie) => {
      const token = readCookie(cookie, sessionCookie.name)
      return token ? data.credentials.authenticate(token) : null
    },
    noteUse: data.credentials.sessions.noteUse,
    page: async (req, res) => (await state.pages?.handle(req, res)) ?? false,
    readJson: (view, lane, id, params, request) =>
      state.measuring.read(lane, scope.current().timing, () =>
        state.reads.json(view, lane, id, params, { person: request.person, language: request.language, now: now() }, () =>
          whoAsks(request),
        ),
      ),
    measuring: state.measuring,
    faults: state.faults,
    // Counted together by nodes, whatever the limits of the site are.
    duplicates: {
      take: (key) => data.limits.acquire(DUPLICATE, key, 1, DUPLICATE_SECONDS),
      forget: (key) => data.limits.refund(DUPLICATE, key),
    },
    limitWrites: async (ip) => {
      if (!options.rateLimits) return
      if (!(await data.limits.acquire('kernel.write', ip, MAX_WRITES_A_MINUTE, 60)))
        throw baseErrors.too_many_requests({ action: 'write', seconds: 60 })
    },
    async limit(slug, { action, max, seconds }, key) {
      if (!options.rateLimits) return
      if (!(await data.limits.acquire(`${slug}.${action}`, key, max, seconds))) throw baseErrors.too_many_requests({ action, seconds })
    },
    incoming: createIncomingFiles(join(options.dataDir, 'incoming')),
    handlerTimeoutMs: state.limits.handlerMs,
    checkReplies: options.checkReplies ?? options.isDevelopment ?? false,
    addressOf: state.addressOf,
    onPush: data.pushes.on,
    onPushesMissed: data.pushes.onMissed,
    onFacts: data.onFacts,
  }
}

/** What the kernel lends to each plugin's `activate`. */
export function contextServices(state: KernelState): ContextServices {
  const { data, options, now } = state
  return {
    data,
    viewNow: state.viewNow,
    current: () => state.lifecycle.view,
    async read(view, id, params, lane) {
      const request = scope.current().request
      const call = { person: request?.person ?? null, language: request?.language ?? data.site.language, now: now() }
      if (!lane) return state.reads.run(view, id, params, call)
      return JSON.parse(Buffer.from(await state.reads.json(view, lane, id, params, call, () => whoAsks(request))).toString())
    },
    admin: state.admin,
    measures: state.measures,
    rateLimits: options.rateLimits,
    outgoing: createOutgoing(options.outgoing ?? []),
    faults: state.faults,
    tapTimeoutMs: state.limits.tapMs,
    activateTimeoutMs: state.limits.activateMs,
    log: options.log,
    now,
  }
}
