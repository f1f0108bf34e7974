import type { Events, Wants } from './events.ts'

/** The server takes no more of one browser. */
const MOST = 20
/** A page that changes ends and begins listening at once. */
const SETTLE_MS = 50
/** Whoever waits for hearing to begin asks without it then. */
const PATIENCE_MS = 2000

interface Listener {
  onPush(payload: unknown): void
  onBegin(): void
  /** Hears everything since then. */
  since?: number | undefined
}
/** What comes over the stream: `key` is id and topic. */
interface Push {
  key: string
  payload: unknown
}

const tab = Math.random().toString(36).slice(2)
const listeners = new Map<string, Set<Listener>>()
/** What each tab wants; known to the one that leads. */
const tabs = new Map<string, string[]>()
let present: string[] = []
/** In the tab that leads: since when each is heard without a break. */
let since = new Map<string, number>()
let started = false
let telling: ReturnType<typeof setTimeout> | undefined

function heard({ key, payload }: Push): void {
  for (const { onPush } of listeners.get(key) ?? []) onPush(payload)
}

function begun(hearing: typeof since): void {
  for (const [key, start] of hearing) {
    for (const listener of listeners.get(key) ?? []) {
      if (listener.since === start) continue
      listener.since = start
      listener.onBegin()
    }
  }
}

/** Says what this tab wants, to the tab that leads. */
function tell(events: Events): void {
  const wants = [...listeners.keys()]
  if (events.leads) lead(events, { from: tab, wants })
  else events.channel?.postMessage({ from: tab, wants })
}

function start(events: Events): void {
  if (started) return
  started = true
  events.channel?.addEventListener('message', ({ data }: MessageEvent<{ push?: Push; begun?: typeof since; who?: true }>) => {
    if (data.push) heard(data.push)
    else if (data.begun) begun(data.begun)
    else if (data.who) tell(events)
  })
  events.onLead = () => tell(events)
  addEventListener('pagehide', () => events.channel?.postMessage({ from: tab, wants: [] }))
  addEventListener('pageshow', ({ persisted }) => persisted && tell(events))
}

/** Hears pushes in this tab. @param onBegin see `useLive` @returns what ends it */
export function listen(events: Events, id: string, topic: string, onPush: Listener['onPush'], onBegin: Listener['onBegin']): () => void {
  start(events)
  const key = `${id} ${topic}`
  const all = listeners.get(key) ?? new Set()
  const listener: Listener = { onPush, onBegin }
  listeners.set(key, all.add(listener))
  const soon = () => {
    clearTimeout(telling)
    telling = setTimeout(tell, SETTLE_MS, events)
  }
  soon()
  const waiting = setTimeout(() => listener.since ?? onBegin(), events.channel ? PATIENCE_MS : 0)
  return () => {
    clearTimeout(waiting)
    all.delete(listener)
    if (all.size === 0 && listeners.get(key) === all) listeners.delete(key)
    soon()
  }
}

/** In the tab that has the stream: asks for it anew when somebody wants more. What nobody wants any more goes with the next time. */
export function lead(events: Events, { from, wants }: Wants): void {
  const open = () => events.open(`?${new URLSearchParams(present.map((key) => ['listen', key]))}`)
  events.onPush = (data) => {
    const push = JSON.parse(data) as Push
    events.channel?.postMessage({ push })
    heard(push)
  }
  const begin = () => {
    events.channel?.postMessage({ begun: since })
    begun(since)
  }
  events.onOpen = (broken) => {
    const now = Date.now()
    since = new Map(present.map((key) => [key, (!broken && since.get(key)) || now]))
    begin()
  }
  events.renew = () => present.length > 0 && open()
  if (wants.length > 0) tabs.set(from, wants)
  else tabs.delete(from)
  const all = [...new Set([...tabs.values()].flat())].slice(-MOST)
  if (all.every((key) => present.includes(key))) {
    if (events.isOpen?.()) begin()
    return
  }
  present = all
  open()
}
