import { cpSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Configuration } from '@rspack/core'
import type { Task } from './finish.ts'
import { finish, readable } from './finish.ts'
import type { Half } from './live-half.ts'
import { readSource } from './plugin-source.ts'
import { serverEntries } from './server-config.ts'

export interface LiveOptions {
  /** Absolute folder of the plugin. */
  folder: string
  /** Absolute folder that gets the built plugin, in a folder called as its slug. */
  out: string
  /** How it is compiled. */
  configurations(task: Task): Promise<Configuration[]>
}

/** A plugin that is worked on: its compilers stay between builds and compile what has changed. */
export class LivePlugin {
  readonly #options: LiveOptions
  #halves: Half[] = []
  /** What decides how the compilers are set up. */
  #shape = ''

  constructor(options: LiveOptions) {
    this.#options = options
  }

  /**
   * Builds the plugin again.
   * @param changed absolute paths of files that changed since the build before
   * @returns errors with file and line; what stood before stays then
   */
  async build(changed: string[]): Promise<string[]> {
    const { folder, out, configurations } = this.#options
    const source = readSource(folder)
    if ('errors' in source) return source.errors.map((error) => `plugin.json: ${error}`)
    const { slug } = source.manifest
    const live = join(out, `.live-${process.pid}`, slug)
    const stage = join(live, 'stage')
    const shape = JSON.stringify([source.modules, Object.keys(serverEntries(source))])
    if (shape !== this.#shape) {
      await this.close()
      // The compiler is large: who has nothing to build does not load it.
      const { Half } = await import('./live-half.ts')
      this.#halves = (await configurations({ source, stage })).map((one, index) => new Half(one, join(live, String(index))))
      this.#shape = shape
    }
    for (const half of this.#halves) await half.run(changed)
    const errors = this.#halves.flatMap((half) => half.result?.errors ?? [])
    if (errors.length > 0) return errors.map(readable)
    rmSync(stage, { recursive: true, force: true })
    for (const { folder: from } of this.#halves) if (existsSync(from)) cpSync(from, stage, { recursive: true })
    const web = this.#halves.find(({ name }) => name === `${slug} (web)`)?.result
    const halves = this.#halves.map(({ result }) => result)
    const { declaredContracts, tokensUsedBy } = await import('./contracts-of.ts')
    const declared = await declaredContracts(source, stage, halves, await tokensUsedBy([{ source, halves }]))
    if (declared.errors.length > 0) return declared.errors
    await finish({ source, stage }, out, web, declared.contracts)
    return []
  }

  /** Lets the compilers go. */
  async close(): Promise<void> {
    this.#shape = ''
    await Promise.all(this.#halves.splice(0).map((half) => half.close()))
  }
}
