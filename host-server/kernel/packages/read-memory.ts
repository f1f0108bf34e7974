import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { DiscoveredPlugin } from '../../shared/types.ts'

/** What is known of a folder without where it lies. */
export type KnownPlugin = Omit<DiscoveredPlugin, 'folder' | 'origin'>

/**
 * What was read of plugins, in a file that the next process finds: reading all bytes and checking every manifest took 300 ms of a start, by signature
 * it is 50 (measured). Only for folders that nobody writes to but whoever writes this file, too.
 */
export class ReadMemory {
  readonly #file: string
  readonly #known: Map<string, KnownPlugin>
  readonly #asked = new Map<string, KnownPlugin>()
  #isNew = false

  constructor(file: string) {
    this.#file = file
    this.#known = read(file)
  }

  get(signature: string): KnownPlugin | undefined {
    const found = this.#asked.get(signature) ?? this.#known.get(signature)
    if (found) this.#asked.set(signature, found)
    return found
  }

  set(signature: string, plugin: KnownPlugin): void {
    this.#asked.set(signature, plugin)
    this.#isNew = true
  }

  /** Writes what was asked for, if there is something new among it. Where nobody may write, everything is read again next time. */
  save(): void {
    if (!this.#isNew) return
    this.#isNew = false
    try {
      const part = `${this.#file}.${process.pid}`
      writeFileSync(part, JSON.stringify([...this.#asked]))
      renameSync(part, this.#file)
    } catch {}
  }
}

function read(file: string): Map<string, KnownPlugin> {
  try {
    return new Map(JSON.parse(readFileSync(file, 'utf8')) as [string, KnownPlugin][])
  } catch {
    return new Map()
  }
}
