import { Session } from 'node:inspector'
import { setTimeout as delay } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'

/** A worker that cannot be stopped within this time runs no JavaScript. */
const PATIENCE_MS = 2_000

interface Message {
  id?: number
  method?: string
  params?: { scriptId: string; url: string; callFrames: { functionName: string; location: { scriptId: string } }[] }
}

/**
 * Whose code a worker thread is busy with: the innermost plugin on its stack. Works while the thread never comes back to its messages.
 * @param ownerOf slug of the plugin that a script belongs to
 */
export async function whoRuns(
  worker: Worker,
  ownerOf: (url: string) => string | undefined,
): Promise<{ slug: string; where: string } | undefined> {
  const session = new Session()
  session.connect()
  const urls = new Map<string, string>()
  let thread: string | undefined
  const tell = (id: number, method: string) =>
    session.post('NodeWorker.sendMessageToWorker', { sessionId: thread as string, message: JSON.stringify({ id, method }) })
  const resumed = Promise.withResolvers<void>()
  try {
    const found = new Promise<{ slug: string; where: string } | undefined>((resolve) => {
      session.on('NodeWorker.attachedToWorker', ({ params: { sessionId, workerInfo } }) => {
        // Its id there is another one than the thread's, which stands in the title.
        if (!workerInfo.title.includes(`[worker ${worker.threadId}]`)) return
        thread = sessionId
        tell(1, 'Debugger.enable')
        tell(2, 'Debugger.pause')
      })
      session.on('NodeWorker.receivedMessageFromWorker', ({ params: { message } }) => {
        const { id, method, params } = JSON.parse(message) as Message
        if (id === 3) resumed.resolve()
        if (method === 'Debugger.scriptParsed' && params) urls.set(params.scriptId, params.url)
        if (method !== 'Debugger.paused' || !params) return
        for (const { functionName, location } of params.callFrames) {
          const url = urls.get(location.scriptId) ?? ''
          const slug = ownerOf(url)
          if (slug !== undefined) return resolve({ slug, where: functionName || (url.split('/').at(-1) ?? url) })
        }
        resolve(undefined)
      })
    })
    session.post('NodeWorker.enable', { waitForDebuggerOnStart: false })
    return await Promise.race([found, delay(PATIENCE_MS, undefined, { ref: false })])
  } finally {
    // A thread that the debugger holds cannot be ended (measured: `terminate` never came back).
    if (thread !== undefined) {
      tell(3, 'Debugger.disable')
      await Promise.race([resumed.promise, delay(PATIENCE_MS, undefined, { ref: false })])
    }
    session.disconnect()
  }
}
