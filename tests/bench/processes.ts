import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join, resolve } from 'node:path'
import { buildFolders } from '../../host-server/cli/site-folders.ts'

/** Starts a script of this folder and waits until it says that it serves. @throws when it ends before */
export async function startServer(script: string, args: string[]): Promise<ChildProcess> {
  const child = start(script, args)
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${script} ended with ${code} before it served`)
  })
  await Promise.race([once(child, 'message'), ended])
  ended.catch(() => undefined)
  return child
}

/**
 * Starts `site-worker.ts`, and waits until it serves. Without its types: what reads TypeScript takes 17 MB of a process (measured), which no site has.
 * @param args of the script
 */
export function startSiteWorker(args: string[]): Promise<ChildProcess> {
  const file = join(buildFolders('production').host, '..', 'site-worker.mjs')
  writeFileSync(file, stripTypeScriptTypes(readFileSync(join(import.meta.dirname, 'site-worker.ts'), 'utf8')))
  return startServer(file, args)
}

/** Starts a script of this folder. It ends with this process. */
export function start(script: string, args: string[] = []): ChildProcess {
  const { env, execArgv } = startedAs()
  return fork(resolve(import.meta.dirname, script), args, {
    env: { ...process.env, ...env },
    execArgv,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
}

/** What `npm start` gives a site: others would measure another one. */
export function startedAs(): { env: Record<string, string>; execArgv: string[] } {
  const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as { scripts: { start: string } }
  const words = scripts.start.split(' ')
  return {
    env: Object.fromEntries(words.filter((word) => /^[A-Z_]+=/.test(word)).map((word) => word.split('='))),
    execArgv: words.filter((word) => word.startsWith('--')),
  }
}

/** Sends an order to a child and waits for its reply. @throws when it ends instead */
export async function ask<T>(child: ChildProcess, order: object): Promise<T> {
  const signal = new AbortController()
  const ended = once(child, 'exit', { signal: signal.signal }).then(() => Promise.reject(new Error('A process of the bench ended')))
  try {
    child.send(order)
    const [reply] = (await Promise.race([once(child, 'message', { signal: signal.signal }), ended])) as [T]
    return reply
  } finally {
    ended.catch(() => undefined)
    signal.abort()
  }
}

/** Ends children and waits until they have. */
export async function stop(children: ChildProcess[]): Promise<void> {
  await Promise.all(
    children.map(async (child) => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    }),
  )
}
