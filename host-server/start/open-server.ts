import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { whoAsks } from '@stoa/sdk/server'
import { tokenOf } from '../data/identity/sessions.ts'
import type { Dispatcher } from '../http/dispatcher.ts'
import { createDispatcher } from '../http/dispatcher.ts'
import type { Health } from '../http/health.ts'
import { createHealth } from '../http/health.ts'
import { inTurn } from '../http/in-turn.ts'
import { createRescue } from '../rescue/index.ts'
import type { KernelState } from './kernel-state.ts'

/** The http server, not listening yet, and what decides who answers. */
export function openServer(state: KernelState): { server: Server; dispatcher: Dispatcher; health: Health } {
  const { data, admin, options } = state
  const lifecycle = () => state.lifecycle
  const health = createHealth(data)
  const dispatcher = createDispatcher({
    lifecycle,
    pages: () => state.pages,
    rescue: createRescue({ lifecycle, admin, data, addressOf: state.addressOf, log: options.log }),
    faults: state.faults,
    loads: state.loads,
    measuring: state.measuring,
    health,
    data,
    log: options.log,
    handlerTimeoutMs: state.limits.handlerMs,
    waitingOfOne: state.limits.waitingOfOne,
    roomMs: state.limits.roomMs,
    whoAsks: (req) => {
      const person = data.credentials.sessions.known(tokenOf(req.headers.authorization) ?? '')?.person ?? null
      return whoAsks({ person, ip: state.addressOf(req) })
    },
  })
  const server = createServer(inTurn((req, res) => dispatcher.handle(req, res)))
  // Of a connection that neither sends nor reads. A plugin's call has less time; streams of events take it off.
  server.timeout = 120_000
  server.keepAliveTimeout = 65_000
  server.requestTimeout = 120_000
  state.dispatcher = dispatcher
  return { server, dispatcher, health }
}

/** @returns the port; @throws what the system says when it cannot be had */
export async function listen(server: Server, { options }: KernelState): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  })
  return (server.address() as AddressInfo).port
}

/** Resolves when the replies under way are out, or were given 10 s. `meanwhile` runs once no new connection is taken. */
export async function closeServer(server: Server, meanwhile: () => Promise<unknown> | undefined): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  // A connection that is kept alive is idle only once its last answer is out.
  const closing = setInterval(() => server.closeIdleConnections(), 100)
  setTimeout(() => server.closeAllConnections(), 10_000).unref()
  await meanwhile()
  await closed
  clearInterval(closing)
}
