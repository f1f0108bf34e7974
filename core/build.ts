import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { StatsCompilation } from '@rspack/core'
import { addCompressedForms } from '../sdk/build/compressed-forms.ts'
import type { Mode } from '../sdk/build/mode.ts'
import { integrityOf } from '../sdk/kernel/integrity.ts'

const folder = dirname(fileURLToPath(import.meta.url))

/** What the server has to know of the browser's build; `web/manifest.json`. */
export interface CoreManifest {
  /** Hash over all files. */
  hash: string
  entry: string
  /** Stylesheets of every page. */
  css: string[]
  /** Kit component → what a page that uses it loads beside the entry. */
  ui: Record<string, { js: string[]; css: string[] }>
  /** File name → `sha384-…`. */
  integrity: Record<string, string>
}

const noteIn = (out: string): string => join(out, 'inputs')

/** What core's build in `out` has to be made of, as a note; undefined when what stands is made of it. @param force says that it is not */
export function staleCore(mode: Mode, out: string, force = false): string | undefined {
  const inputs = `${mode} ${inputHash()}`
  return !force && existsSync(noteIn(out)) && readFileSync(noteIn(out), 'utf8') === inputs ? undefined : inputs
}

/**
 * Adds what is not compiled, and notes what it was made of.
 * @param compiled statistics of both builds, by name
 * @throws with all messages when it does not compile
 */
export async function finishCore(mode: Mode, out: string, inputs: string, compiled: Map<string, StatsCompilation>): Promise<void> {
  const [web, node] = ['core (web)', 'core (node)'].map((name) => compiled.get(name))
  const errors = [...(web?.errors ?? []), ...(node?.errors ?? [])]
  // One of the two may stand nevertheless.
  rmSync(noteIn(out), { force: true })
  if (errors.length > 0 || !web)
    throw new Error(`Core does not build:\n${errors.map((error) => `${error.moduleName ?? ''} ${error.message}`).join('\n')}`)
  writeTexts(join(out, 'texts'))
  const files = readdirSync(join(out, 'web'))
    .filter((file) => /\.(js|css)$/.test(file))
    .sort()
  const manifest = makeManifest(web, files, (file) => readFileSync(join(out, 'web', file)))
  writeFileSync(join(out, 'web/manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  if (mode === 'production') await addCompressedForms(join(out, 'web'))
  writeFileSync(noteIn(out), inputs)
}

/** Digest of everything that decides what is written. */
function inputHash(): string {
  const hash = createHash('sha256')
  const root = join(folder, '..')
  const walk = (path: string) => {
    for (const entry of readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const full = join(path, entry.name)
      if (entry.isDirectory()) {
        if (!['node_modules', 'tests', 'fixtures'].includes(entry.name)) walk(full)
      } else hash.update(`${relative(root, full)}\0`).update(readFileSync(full))
    }
  }
  for (const part of ['core', 'sdk/build', 'sdk/kernel', 'sdk/legacy', 'sdk/pages', 'sdk/kernel', 'sdk/shared', 'sdk/web', 'sdk/ui'])
    walk(join(root, part))
  return hash.update(readFileSync(join(root, 'package-lock.json'))).digest('hex')
}

function makeManifest(web: StatsCompilation, files: string[], read: (file: string) => Buffer): CoreManifest {
  const groups = web.namedChunkGroups ?? {}
  const filesOf = (name: string, ending: string) =>
    (groups[name]?.assets ?? []).map((asset) => asset.name).filter((file) => file.endsWith(ending))
  const hash = createHash('sha256')
  for (const file of files) hash.update(file)
  const ui = Object.keys(groups).filter((name) => name.startsWith('ui-'))
  return {
    hash: hash.digest('hex').slice(0, 16),
    entry: filesOf('main', '.js').find((file) => file.startsWith('main.')) as string,
    css: filesOf('main', '.css'),
    ui: Object.fromEntries(
      ui.map((name) => [name.slice(3).replace(/-tsx$/, ''), { js: filesOf(name, '.js'), css: filesOf(name, '.css') }]),
    ),
    integrity: Object.fromEntries(files.map((file) => [file, integrityOf(read(file))])),
  }
}

/** Texts of the frame and of the kit together are the namespace `core`. */
function writeTexts(out: string): void {
  mkdirSync(out, { recursive: true })
  for (const file of readdirSync(join(folder, 'texts'))) {
    const parts = [join(folder, 'texts', file), join(folder, '../sdk/ui', `texts.${file}`)].filter((part) => existsSync(part))
    const texts = Object.assign({}, ...parts.map((part) => JSON.parse(readFileSync(part, 'utf8')) as object))
    writeFileSync(join(out, file), JSON.stringify(texts))
  }
}
