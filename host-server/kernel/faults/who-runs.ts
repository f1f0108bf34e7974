import { Session } from 'node:inspector'
import { setTimeout as delay } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'

/** A worker that does not answer the debugger within this time runs no JavaScript. One that runs after all else on a busy machine needs seconds. */
const PATIENCE_MS = 5_000

/** Innermost plugin on the stack of a thread. */
export interface Found {
  slug: string
  where: string
}

/** Slug of the plugin that a script belongs to. */
export type OwnerOf = (url: string) => string | undefined

interface Message {
  id?: number
  method?: string
  params?: { scriptId: string; url: string; callFrames: { functionName: string; location: { scriptId: string } }[] }
}

const patience = (): Promise<undefined> => delay(PATIENCE_MS, undefined, { ref: false })

/** A debugger on a worker thread, which works also while the thread never comes back to its messages. */
class Probe {
  readonly #session = new Session()
  readonly #urls = new Map<string, string>()
  /** Of the thread, as the debugger names it. */
  #thread: string | undefined
  #sent = 0
  readonly #told = new Map<number, () => void>()
  /** Resolves where the thread is stopped; without a plugin on its stack, with undefined. */
  readonly stopped: Promise<Found | undefined>
  /** The debugger is on. */
  readonly attached: Promise<void>

  constructor(worker: Worker, ownerOf: OwnerOf) {
    this.#session.connect()
    this.attached = new Promise((resolve) => {
      this.#session.on('NodeWorker.attachedToWorker', ({ params: { sessionId, workerInfo } }) => {
        // Its id there is another one than the thread's, which stands in the title.
        if (!workerInfo.title.includes(`[worker ${worker.threadId}]`)) return
        this.#thread = sessionId
        resolve(this.tell('Debugger.enable'))
      })
    })
    this.stopped = new Promise((resolve) => {
      this.#session.on('NodeWorker.receivedMessageFromWorker', ({ params: { message } }) => {
        const { id, method, params } = JSON.parse(message) as Message
        if (id !== undefined) this.#told.get(id)?.()
        if (method === 'Debugger.scriptParsed' && params) this.#urls.set(params.scriptId, params.url)
        if (method !== 'Debugger.paused' || !params) return
        for (const { functionName, location } of params.callFrames) {
          const url = this.#urls.get(location.scriptId) ?? ''
          const slug = ownerOf(url)
          if (slug !== undefined) return resolve({ slug, where: functionName || (url.split('/').at(-1) ?? url) })
        }
        resolve(undefined)
      })
    })
    this.#session.post('NodeWorker.enable', { waitForDebuggerOnStart: false })
  }

  tell(method: string): Promise<void> {
    const id = ++this.#sent
    return new Promise((resolve) => {
      this.#told.set(id, resolve)
      this.#session.post('NodeWorker.sendMessageToWorker', { sessionId: this.#thread as string, message: JSON.stringify({ id, method }) })
    })
  }

  /** A thread that the debugger holds cannot be ended (measured: `terminate` never came back). */
  async close(): Promise<void> {
    if (this.#thread !== undefined) await Promise.race([this.tell('Debugger.disable'), patience()])
    this.#session.disconnect()
  }
}

/** Whose code a worker thread is busy with now. */
export async function whoRuns(worker: Worker, ownerOf: OwnerOf): Promise<Found | undefined> {
  const probe = new Probe(worker, ownerOf)
  try {
    void probe.attached.then(() => probe.tell('Debugger.pause'))
    return await Promise.race([probe.stopped, patience()])
  } finally {
    await probe.close()
  }
}
