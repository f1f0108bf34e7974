import type { Hash } from 'node:crypto'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What stands in a plugin's folder and does not end up in what is built. */
const NOT_BUILT = new Set(['node_modules', 'dist', 'tests', 'testing', 'README.md', 'CHANGELOG.md'])

const PRESET = dirname(fileURLToPath(import.meta.url))

const MANIFEST_RULES = join(PRESET, '..', 'shared', 'manifest.schema.json')

/** What was read so far of what stands on disk at one moment: path → digest. Plugins share most of what decides how they are built. */
export type Digests = Map<string, string>

/**
 * Digest over everything that decides what a build writes: the plugin's own files, the contracts of its neighbours, the preset, the rules of
 * manifests, the shared packages and the lock file. The same inputs give the same digest on every machine.
 * @param folder the plugin
 * @param neighbours folders whose `shared/` it may import
 * @param extra further values that the output depends on (mode, shared packages)
 */
export function inputHash(folder: string, neighbours: string[], extra: unknown, digests: Digests = new Map()): string {
  const once = (path: string, add: (hash: Hash) => void) => {
    const found = digests.get(path) ?? digestOf(add)
    digests.set(path, found)
    return found
  }
  const folderOnce = (path: string) => once(path, (hash) => addFolder(hash, path, path))
  const lock = lockFile(folder)
  return digestOf((hash) => {
    hash.update(JSON.stringify(extra)).update(folderOnce(folder))
    for (const neighbour of [...neighbours].sort()) {
      hash.update(`\0${basename(neighbour)}\0`).update(folderOnce(join(neighbour, 'shared')))
      hash.update(once(join(neighbour, 'plugin.json'), (contracts) => contracts.update(contractsOf(neighbour))))
    }
    hash.update(folderOnce(PRESET))
    for (const file of [MANIFEST_RULES, lock]) if (file) hash.update(once(file, (content) => addFile(content, file, basename(file))))
  })
}

function digestOf(add: (hash: Hash) => void): string {
  const hash = createHash('sha256')
  add(hash)
  return hash.digest('hex')
}

/** Versions of a neighbour's contracts. */
function contractsOf(folder: string): string {
  try {
    return JSON.stringify((JSON.parse(readFileSync(join(folder, 'plugin.json'), 'utf8')) as { provides?: object }).provides ?? {})
  } catch {
    return ''
  }
}

function addFolder(hash: Hash, folder: string, root: string): void {
  if (!existsSync(folder)) return
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (NOT_BUILT.has(entry.name) || entry.name.startsWith('.')) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) addFolder(hash, path, root)
    else addFile(hash, path, relative(root, path))
  }
}

function addFile(hash: Hash, path: string, name: string): void {
  const content = readFileSync(path)
  hash.update(`\0${name}\0${content.length}\0`).update(content)
}

function lockFile(from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const file = join(folder, 'package-lock.json')
    if (existsSync(file)) return file
    if (dirname(folder) === folder) return undefined
  }
}

/**
 * Digest over parts of a checkout and its lock file.
 * @param root the checkout
 * @param parts folders and files below it; what only tests read does not count
 */
export function digestOfParts(root: string, parts: string[]): string {
  return digestOf((hash) => {
    for (const part of [...parts, 'package-lock.json']) {
      const path = join(root, part)
      if (statSync(path).isDirectory()) addFolder(hash, path, root)
      else addFile(hash, path, part)
    }
  })
}

/** What a build was made of, noted beside what it wrote. @param out folder of the build */
export function buildNote(out: string) {
  const file = join(out, 'inputs')
  return {
    /** @returns `inputs`, or undefined where what stands is made of them. @param force says that it is not */
    stale: (inputs: string, force: boolean): string | undefined =>
      !force && existsSync(file) && readFileSync(file, 'utf8') === inputs ? undefined : inputs,
    write: (inputs: string) => writeFileSync(file, inputs),
    remove: () => rmSync(file, { force: true }),
  }
}
