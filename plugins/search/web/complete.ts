import type { Api } from '@stoa/sdk/web'
import { searchCalls } from '../shared/api.ts'
import { postPath } from './search-path.ts'

const PAUSE_MS = 300
/** Calls for what is being typed count as searches; those that are meant must not be refused for them. */
const MOST_PER_MINUTE = 20
const SHOWN = 6

interface Completion {
  field: HTMLInputElement
  list: HTMLDataListElement
  /** What stood in the field before anybody typed: the rest came while this file was on its way. */
  before: string
  api: Api
  permalink: number
  go(path: string): void
}

/** Offers tags, people and titles while somebody types; who takes one is led to it. The browser draws the list, as it does for any field. */
export function complete({ field, list, before, api, permalink, go }: Completion): void {
  const paths = new Map<string, string>()
  let asked: number[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: AbortController | undefined

  async function look(q: string): Promise<void> {
    asked = asked.filter((at) => at > Date.now() - 60_000)
    if (asked.length >= MOST_PER_MINUTE) return
    asked.push(Date.now())
    running = new AbortController()
    const quietly = { signal: running.signal, passingError: true, ignoreServerError: true }
    const query = { q, size: SHOWN, page: 1, order: 'relevance' as const }
    const [named, found] = await Promise.all([
      api.send(searchCalls.complete, { query: { q: q.slice(0, 100) }, ...quietly }),
      api.send(searchCalls.search, { query, ...quietly }),
    ])
    paths.clear()
    const options = [
      ...named.map(({ query, name, path }) => ({ value: query, label: name, path })),
      ...found.list.map(({ object }) => ({ value: object.title, label: '', path: postPath(permalink, object) })),
    ].filter(({ value, path }) => !paths.has(value) && paths.set(value, path))
    list.replaceChildren(...options.map(({ value, label }) => Object.assign(document.createElement('option'), { value, label })))
  }

  function forget(): void {
    clearTimeout(timer)
    running?.abort()
  }

  function typed(): void {
    forget()
    const q = field.value.trim()
    const taken = paths.get(field.value)
    if (taken !== undefined) return go(taken)
    // A word of one letter finds everything; one Chinese character is a word.
    if (q.length < 2 && !/\p{Script=Han}/u.test(q)) return
    timer = setTimeout(() => void look(q).catch(() => {}), PAUSE_MS)
  }

  field.addEventListener('input', (event) => ((event as InputEvent).isComposing ? forget() : typed()))
  // Where characters are composed, Chromium's last `input` still is part of it.
  field.addEventListener('compositionend', typed)
  if (field.value.trim() !== before) typed()
}
