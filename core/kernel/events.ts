/** Tells of switches and of settings: one stream per browser, since a seventh stream over HTTP/1.1 would hang the seventh tab. */
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
  /** Settings of the site have changed. */
  onFacts(): void
  /** Asks for the tag; where streams are not to be had. */
  poll(): Promise<string | undefined>
}

/** What one tab asks of the stream that all share. */
export interface Wants {
  from: string
  wants: string[]
}

/** The stream as this tab knows it; pushes to listeners are in a chunk of their own, see `live.ts`. */
export interface Events {
  /** Absent where streams are not to be had. */
  channel?: BroadcastChannel
  /** This tab has the stream. */
  leads?: true
  /** Asks for the stream anew, with what is to be listened to. */
  open(query: string): void
  /** This tab has the stream from now on. */
  onLead?(): void
  /** What was asked for last comes from now on. @param broken some of what was said meanwhile may be lost */
  onOpen?(broken: boolean): void
  /** Whether it comes. */
  isOpen?(): boolean
  /** The leading tab is pushed something. */
  onPush?(data: string): void
  /** Who asks, or what is on, is another. */
  renew?(): void
}

/** Follows what is on and what is set. The tab that holds the lock has the stream and tells the others; when it goes, the next one takes over. */
export function followEvents({ tag, onTag, onFacts, poll }: EventSourceParts): Events {
  /** What was asked for last, and what is heard until that is there. */
  let asked: EventSource | undefined
  let heard: EventSource | undefined
  let broken = true
  const events: Events = {
    open(query) {
      if (asked !== heard) asked?.close()
      const stream = new EventSource(STREAM + query)
      asked = stream
      stream.addEventListener('open', () => {
        if (stream !== asked) return
        if (heard !== stream) heard?.close()
        heard = stream
        events.onOpen?.(broken)
        broken = false
      })
      stream.addEventListener('map', ({ data }) => say(data))
      stream.addEventListener('facts', () => {
        channel.postMessage({ facts: true })
        onFacts()
      })
      stream.addEventListener('push', ({ data }) => events.onPush?.(data))
      stream.addEventListener('error', () => {
        if (stream === heard) broken = true
        if (stream.readyState === EventSource.CLOSED && asked === stream)
          setTimeout(() => asked === stream && events.open(query), REFUSED_MS)
      })
    },
    isOpen: () => asked === heard && heard?.readyState === EventSource.OPEN,
  }
  if (!('locks' in navigator) || typeof BroadcastChannel === 'undefined' || typeof EventSource === 'undefined') {
    pollFor(onTag, poll)
    return events
  }
  const channel = new BroadcastChannel(CHANNEL)
  events.channel = channel
  let last: string | undefined
  const say = (next: string) => {
    if (last !== next) events.renew?.()
    last = next
    channel.postMessage({ tag: next })
    onTag(next)
  }
  channel.onmessage = ({ data }: MessageEvent<{ tag?: string; facts?: true; ask?: true } & Partial<Wants>>) => {
    if (data.tag !== undefined) onTag(data.tag)
    else if (data.facts) onFacts()
    else if (!events.leads) return
    else if (data.ask && last !== undefined) channel.postMessage({ tag: last })
    else if (data.wants) void import(/* webpackChunkName: "live" */ './live.ts').then(({ lead }) => lead(events, data as Wants))
  }
  channel.postMessage({ ask: true })
  void navigator.locks.request(CHANNEL, () => {
    events.leads = true
    last = tag()
    events.open('')
    events.onLead?.()
    channel.postMessage({ who: true })
    // The lock is held until the tab goes.
    return new Promise<never>(() => {})
  })
  return events
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
