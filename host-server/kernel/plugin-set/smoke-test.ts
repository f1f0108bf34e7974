import type { IncomingMessage, ServerResponse } from 'node:http'
import inject from 'light-my-request'
import { setView } from '../../calls/instance.ts'
import type { Running, View } from '../runtime/view.ts'

const PROBE_MS = 10_000

/**
 * Asks a version that is to replace another one, before anybody else does: the path its manifest names as `probe`, else its first call that a
 * visitor may make without parameters.
 * @throws when it answers 5xx or not at all
 */
export async function smokeTest(plugin: Running, view: View): Promise<void> {
  const path = plugin.manifest.probe ?? plugin.routes.find(isPlain)?.path
  if (path === undefined) return
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Asked for ${path}, it said nothing for ${PROBE_MS / 1000} s`)), PROBE_MS)
  })
  const release = view.hold()
  try {
    const asked = inject(
      (req, res) => {
        setView(req, view)
        plugin.app.routing(req as unknown as IncomingMessage, res as unknown as ServerResponse)
      },
      { method: 'GET', url: path },
    )
    const { statusCode } = await Promise.race([asked, late])
    if (statusCode >= 500) throw new Error(`Asked for ${path}, it answered ${statusCode}`)
  } finally {
    clearTimeout(timer)
    release()
  }
}

const isPlain = ({ method, path, access, raw, query }: Running['routes'][number]): boolean =>
  method === 'GET' &&
  (access === 'open' || access === 'visitor') &&
  raw === undefined &&
  !/[:*]/.test(path) &&
  ((query as { required?: string[] } | undefined)?.required ?? []).length === 0
