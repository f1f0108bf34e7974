import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import type { Contracts } from '../shared/manifest.ts'
import { buildFacts } from './build-facts.ts'
import type { Compiled } from './compile.ts'
import { addCompressedForms } from './compressed-forms.ts'
import type { PluginSource } from './plugin-source.ts'

export interface Task {
  source: PluginSource
  /** Of the inputs; none where nobody asks afterwards whether they have changed: the next start builds it again. */
  hash?: string
  /** Where it is put together before it takes the place of the old build. */
  stage: string
  /** For a site that people visit: what browsers load is written in compressed forms too. */
  forVisitors?: boolean
}

const noteOf = (out: string, slug: string): string => join(out, '.inputs', slug)

/** Whether what stands was made of the same inputs. */
export function isFresh(out: string, slug: string, hash: string): boolean {
  return existsSync(join(out, slug, 'plugin.json')) && existsSync(noteOf(out, slug)) && readFileSync(noteOf(out, slug), 'utf8') === hash
}

/** A compiler's error with file, line and column where it tells them: `web/page.tsx:3:12: Expected …`. */
export function readable(error: { message: string; moduleName?: string }): string {
  const message = error.message.replace(/^\s*×\s*/, '').trim()
  const [, place] = /╭─\[(?:.*:)?(\d+:\d+)\]/.exec(message) ?? []
  const file = error.moduleName?.replace(/^.*!/, '').replace(/^\.\//, '')
  return file ? `${file}:${place ? `${place}:` : ''} ${message}` : message
}

/** Adds what is not compiled, writes the completed manifest and puts the folder in the place of the old one. */
export async function finish(
  { source, stage, hash, forVisitors }: Task,
  out: string,
  web: Compiled | undefined,
  contracts: Contracts,
): Promise<void> {
  const { manifest, folder } = source
  mkdirSync(stage, { recursive: true })
  const styles = source.styles.map((file) => copyHashed(join(folder, file), stage))
  for (const language of source.locales) cpSync(join(folder, 'locales', `${language}.json`), join(stage, 'locales', `${language}.json`))
  const contributes = styles.length > 0 ? { ...manifest.contributes, styles } : manifest.contributes
  const built = { ...manifest, ...(contributes ? { contributes } : {}), contracts, build: buildFacts(source, stage, web) }
  writeFileSync(join(stage, 'plugin.json'), `${JSON.stringify(built, null, 2)}\n`)
  if (forVisitors) await addCompressedForms(stage)
  const target = join(out, manifest.slug)
  rmSync(target, { recursive: true, force: true })
  renameSync(stage, target)
  mkdirSync(join(out, '.inputs'), { recursive: true })
  if (hash !== undefined) writeFileSync(noteOf(out, manifest.slug), hash)
  else rmSync(noteOf(out, manifest.slug), { force: true })
}

/** @returns the file's name in `stage`: `tokens.css` → `tokens.4f1d2c3b5a.css`. */
function copyHashed(file: string, stage: string): string {
  const content = readFileSync(file)
  const extension = extname(file)
  const name = `${basename(file, extension)}.${createHash('sha256').update(content).digest('hex').slice(0, 10)}${extension}`
  writeFileSync(join(stage, name), content)
  return name
}
