import type { Hash } from 'node:crypto'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What stands in a plugin's folder and does not end up in what is built. */
const NOT_BUILT = new Set(['node_modules', 'dist', 'tests', 'testing', 'README.md', 'CHANGELOG.md'])

const PRESET = dirname(fileURLToPath(import.meta.url))

/**
 * Digest over everything that decides what a build writes: the plugin's own files, the contracts of its neighbours, the preset,
 * the shared packages and the lock file. The same inputs give the same digest on every machine.
 * @param folder the plugin
 * @param neighbours folders whose `shared/` it may import
 * @param extra further values that the output depends on (mode, shared packages)
 */
export function inputHash(folder: string, neighbours: string[], extra: unknown): string {
  const hash = createHash('sha256').update(JSON.stringify(extra))
  addFolder(hash, folder, folder)
  for (const neighbour of [...neighbours].sort()) {
    addFolder(hash, join(neighbour, 'shared'), dirname(neighbour))
    hash.update(contractsOf(neighbour))
  }
  addFolder(hash, PRESET, PRESET)
  addFile(hash, lockFile(folder), 'package-lock.json')
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

function addFile(hash: Hash, path: string | undefined, name: string): void {
  if (path === undefined) return
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
 * @param parts folders below it; what only tests read does not count
 */
export function digestOfParts(root: string, parts: string[]): string {
  const hash = createHash('sha256')
  for (const part of parts) addFolder(hash, join(root, part), root)
  addFile(hash, join(root, 'package-lock.json'), 'package-lock.json')
  return hash.digest('hex')
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
