import type { ServerResponse } from 'node:http'

/** Aborted when who asked leaves before all of the response is sent. */
export function goneSignal(res: ServerResponse): AbortSignal {
  const gone = new AbortController()
  res.once('close', () => res.writableFinished || gone.abort())
  return gone.signal
}
