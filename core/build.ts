import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { StatsCompilation } from '@rspack/core'
import { addCompressedForms } from '../sdk/build/compressed-forms.ts'
import { buildNote, digestOfParts } from '../sdk/build/input-hash.ts'
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

/** Folders that decide what is written. */
const parts = ['core', 'sdk/build', 'sdk/kernel', 'sdk/legacy', 'sdk/pages', 'sdk/shared', 'sdk/web', 'sdk/ui']

/** What core's build in `out` has to be made of, as a note; undefined when what stands is made of it. @param force says that it is not */
export function staleCore(mode: Mode, out: string, force = false): string | undefined {
  return buildNote(out).stale(`${mode} ${digestOfParts(join(folder, '..'), parts)}`, force)
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
  buildNote(out).remove()
  if (errors.length > 0 || !web)
    throw new Error(`Core does not build:\n${errors.map((error) => `${error.moduleName ?? ''} ${error.message}`).join('\n')}`)
  writeTexts(join(out, 'texts'))
  const files = readdirSync(join(out, 'web'))
    .filter((file) => /\.(js|css)$/.test(file))
    .sort()
  const manifest = makeManifest(web, files, (file) => readFileSync(join(out, 'web', file)))
  writeFileSync(join(out, 'web/manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  if (mode === 'production') await addCompressedForms(join(out, 'web'))
  buildNote(out).write(inputs)
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
