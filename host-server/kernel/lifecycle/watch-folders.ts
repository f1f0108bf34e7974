import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { unlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { oneAtATime } from '../../shared/one-at-a-time.ts'
import type { LogFunction } from '../../shared/types.ts'
import { signatureOf } from '../packages/scan-folders.ts'
import type { Lifecycle } from './lifecycle.ts'

/** Between two looks; what looks the same twice is not being written any more. */
const LOOK_MS = 1_500
/** Far beyond what starting a plugin may take. */
const LOST_MS = 300_000
const PACKED = /\.(tgz|tar\.gz)$/

export interface Watch {
  /** Ends; resolves when nothing is under way any more. */
  close(): Promise<void>
}

/**
 * Watches `<data>/plugins`: archives that are dropped there are taken into the store, folders that change take the place of what runs from them.
 * It looks rather than waits for the system's notices, which are lost on network file systems and say nothing of when a copy is complete.
 */
export function watchPlugins(folder: string, lifecycle: () => Lifecycle, log: LogFunction): Watch {
  mkdirSync(folder, { recursive: true })
  /** Name → how it looked last time. */
  let seen = new Map<string, string>()
  /** Name → how it looked when it was dealt with. */
  const done = new Map<string, string>()
  let closed = false

  async function look(): Promise<void> {
    const now = looksOf(folder)
    const plugins = lifecycle()
    for (const list of [done, plugins.refused]) for (const name of list.keys()) if (!now.has(name)) list.delete(name)
    const still = [...now].filter(([name, looks]) => seen.get(name) === looks && done.get(name) !== looks)
    seen = now
    for (const [name, looks] of still) {
      if (closed) return
      done.set(name, looks)
      if (PACKED.test(name)) await installFrom(name, plugins)
    }
    if (still.length > 0 && !closed) await plugins.takeFolders((path) => still.some(([name]) => name === basename(path)))
  }

  async function installFrom(name: string, plugins: Lifecycle): Promise<void> {
    try {
      const { manifest } = await plugins.install(join(folder, name), false)
      plugins.refused.delete(name)
      log('info', manifest.slug, `Version ${manifest.version} was taken from ${name}`)
      await unlink(join(folder, name))
    } catch (error) {
      plugins.refused.set(name, error as Error)
      log('error', name, `This package was not taken: ${(error as Error).message}`)
    }
  }

  const looking = oneAtATime(
    () => look().catch((error) => log('error', 'kernel', `${folder} was not looked at: ${(error as Error).message}`)),
    LOST_MS,
  )
  const timer = setInterval(looking.run, LOOK_MS)
  timer.unref()
  return {
    async close() {
      closed = true
      clearInterval(timer)
      await looking.settled()
    },
  }
}

/** Folders and archives, each with what changes when it does. */
function looksOf(folder: string): Map<string, string> {
  const looks = new Map<string, string>()
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name.startsWith('.') || !(entry.isDirectory() || PACKED.test(entry.name))) continue
    const path = join(folder, entry.name)
    try {
      const { size, mtimeMs, ino } = statSync(path)
      looks.set(entry.name, entry.isDirectory() ? signatureOf(path) : `${size} ${mtimeMs} ${ino}`)
    } catch (error) {
      // Gone again, or refused for what it holds; the list of plugins says so.
      looks.set(entry.name, (error as Error).message)
    }
  }
  return looks
}
