import runtime from 'react-refresh/runtime'
import type { Development } from '../kernel/development.ts'

/** What `npm run dev` says of a build. */
type Said =
  | { kind: 'failed'; name: string; errors: string[] }
  | { kind: 'built'; name: string }
  /** The page has to be loaded anew; `message` says why. */
  | { kind: 'reload'; message: string }

runtime.injectIntoGlobalHook(window)
Object.assign(window, {
  stoaDev: {
    register: runtime.register,
    sign: runtime.createSignatureFunctionForTransform,
    refresh: () => void runtime.performReactRefresh(),
  } satisfies Development,
})

/** Why the page was loaded anew; told once more after it. */
const REASON = 'stoa:dev'
const SHOWN_MS = 4000
const RELOAD_AFTER_MS = 300
const failed = new Map<string, string[]>()

const stream = new EventSource('/stoa/events')
stream.addEventListener('dev', (event) => {
  const said = JSON.parse((event as MessageEvent<string>).data) as Said
  if (said.kind === 'reload') {
    sessionStorage.setItem(REASON, said.message)
    show('status', said.message)
    setTimeout(() => location.reload(), RELOAD_AFTER_MS)
    return
  }
  if (said.kind === 'failed') failed.set(said.name, said.errors)
  else failed.delete(said.name)
  if (failed.size === 0) hide()
  else
    show(
      'alert',
      [...failed].map(([name, errors]) => `${name} is not built; the page shows the version before\n\n${errors.join('\n\n')}`).join('\n\n'),
    )
})

const reason = sessionStorage.getItem(REASON)
sessionStorage.removeItem(REASON)
if (reason !== null) {
  show('status', reason)
  setTimeout(() => failed.size === 0 && hide(), SHOWN_MS)
}

function hide(): void {
  document.getElementById('stoa-dev')?.remove()
}

/** A sheet over the lower part of the page, outside of what React draws. */
function show(role: 'alert' | 'status', text: string): void {
  hide()
  const box = document.createElement('pre')
  box.id = 'stoa-dev'
  box.setAttribute('role', role)
  box.tabIndex = 0
  box.textContent = text
  Object.assign(box.style, {
    position: 'fixed',
    inset: 'auto 0 0 0',
    zIndex: '2147483647',
    maxHeight: '50vh',
    overflow: 'auto',
    margin: '0',
    padding: '16px',
    font: '13px/1.5 ui-monospace, monospace',
    whiteSpace: 'pre-wrap',
    color: '#fff',
    background: role === 'alert' ? '#8b1a1a' : '#1f2937',
  })
  document.body.append(box)
}
