/** Tells of switches: one stream per browser, since a seventh stream over HTTP/1.1 would hang the seventh tab. */
const STREAM = '/stoa/events'
const CHANNEL = 'stoa-events'
const POLL_MS = 3000
/** After a stream that was refused, such as by a proxy whose site is starting; only one that was cut off comes back by itself. */
const REFUSED_MS = 3000

export interface EventSourceParts {
  /** Tag of the map this tab has. */
  tag(): string
  /** Called with the tag the server has; may be the same. */
  onTag(tag: string): void
  /** Asks for the tag; where streams are not to be had. */
  poll(): Promise<string | undefined>
}

/** Follows what is on. The tab that holds the lock has the stream and tells the others; when it goes, the next one takes over. */
export function followEvents({ tag, onTag, poll }: EventSourceParts): void {
  if (!('locks' in navigator) || typeof BroadcastChannel === 'undefined' || typeof EventSource === 'undefined') {
    pollFor(onTag, poll)
    return
  }
  const channel = new BroadcastChannel(CHANNEL)
  let last: string | undefined
  let leads = false
  const say = (next: string) => {
    last = next
    channel.postMessage({ tag: next })
    onTag(next)
  }
  channel.onmessage = ({ data }: MessageEvent<{ tag?: string; ask?: true }>) => {
    if (data.tag !== undefined) onTag(data.tag)
    else if (data.ask && leads && last !== undefined) channel.postMessage({ tag: last })
  }
  channel.postMessage({ ask: true })
  void navigator.locks.request(CHANNEL, () => {
    leads = true
    last = tag()
    const listen = () => {
      const stream = new EventSource(STREAM)
      stream.addEventListener('map', (event) => say((event as MessageEvent<string>).data))
      stream.addEventListener('error', () => {
        if (stream.readyState === EventSource.CLOSED) setTimeout(listen, REFUSED_MS)
      })
    }
    listen()
    // The lock is held until the tab goes.
    return new Promise<never>(() => {})
  })
}

function pollFor(onTag: (tag: string) => void, poll: () => Promise<string | undefined>): void {
  const ask = async () => {
    if (document.visibilityState !== 'visible') return
    const tag = await poll().catch(() => undefined)
    if (tag !== undefined) onTag(tag)
  }
  setInterval(ask, POLL_MS)
  document.addEventListener('visibilitychange', ask)
}
