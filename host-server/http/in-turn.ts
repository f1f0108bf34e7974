import { AsyncResource } from 'node:async_hooks'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Requests that may wait on one connection before no more are read from it. Browsers send the next when they have the reply. */
const PAUSED_AT = 16
/** What had arrived already when reading stopped may be many more; who sends this many is no browser. */
const MOST_WAITING = 1000

interface Connection {
  isBusy: boolean
  waiting: (() => void)[]
}

/**
 * Answers the requests of one connection one after the other, as their replies go out one after the other anyway: a connection that sends
 * hundreds and reads nothing has one reply in memory. Those that read nothing for long are ended by the server's time-out.
 */
export function inTurn(handle: RequestListener): RequestListener {
  const connections = new WeakMap<Socket, Connection>()

  function start(req: IncomingMessage, res: ServerResponse, connection: Connection): void {
    const { socket } = req
    connection.isBusy = true
    res.on('close', () => {
      connection.isBusy = false
      if (socket.destroyed) return
      const next = connection.waiting.shift()
      if (!next) return
      if (connection.waiting.length === PAUSED_AT - 1) socket.resume()
      next()
    })
    handle(req, res)
  }

  return (req, res) => {
    let connection = connections.get(req.socket)
    if (!connection) {
      connection = { isBusy: false, waiting: [] }
      connections.set(req.socket, connection)
    }
    if (!connection.isBusy) return start(req, res, connection)
    const { waiting } = connection
    if (waiting.length >= MOST_WAITING) return void req.socket.destroy()
    // Begun when another request ends, it belongs to itself nevertheless.
    waiting.push(AsyncResource.bind(() => start(req, res, connection)))
    if (waiting.length >= PAUSED_AT) req.socket.pause()
  }
}
