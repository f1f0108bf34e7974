import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Manifest } from '../shared/manifest.ts'
import type { Findings } from './check-plugin.ts'
import { checkPlugin, typesOfManifest, unnamedContracts } from './check-plugin.ts'
import { knownContracts } from './known-contracts.ts'
import { readSource } from './plugin-source.ts'

/** Folder of what is written for the compiler, beside the sources. */
const WORK = '.stoa'

/**
 * Everything that can be known of a plugin project without running it: its manifest, its texts, the contracts that it names, and the types of its
 * code, of which those are part that its manifest ties together.
 * @param options `types`: compiles it too, where it has a `tsconfig.json`; `fix`: names contracts in `plugin.json` that its code uses
 */
export async function checkProject(folder: string, { types, fix = false }: { types: boolean; fix?: boolean }): Promise<Findings> {
  const known = await knownContracts([folder], folder)
  if (fix) nameContracts(folder, known)
  const findings = checkPlugin(folder, known)
  if (findings.errors.length > 0 || !types || !existsSync(join(folder, 'tsconfig.json'))) return findings
  const work = join(folder, WORK)
  mkdirSync(work, { recursive: true })
  writeFileSync(join(work, 'manifest.ts'), typesOfManifest(folder, known, work))
  const config = {
    extends: '../tsconfig.json',
    include: ['../**/*', './manifest.ts'],
    exclude: ['../dist', '../node_modules', '../**/node_modules'],
  }
  writeFileSync(join(work, 'tsconfig.json'), JSON.stringify(config, null, 2))
  return { ...findings, errors: await compilerErrors(folder, work) }
}

/** Adds what the code uses to `wants`; whoever cannot do without it moves it to `needs`. */
function nameContracts(folder: string, known: Awaited<ReturnType<typeof knownContracts>>): void {
  const file = join(folder, 'plugin.json')
  const source = readSource(folder)
  if ('errors' in source) return
  const unnamed = unnamedContracts(source, known)
  if (unnamed.length === 0) return
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest
  manifest.wants = { ...manifest.wants, ...Object.fromEntries(unnamed.map(({ contract, range }) => [contract, range])) }
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`)
}

async function compilerErrors(folder: string, work: string): Promise<string[]> {
  let compiler: string
  try {
    compiler = join(dirname(createRequire(join(folder, 'package.json')).resolve('typescript/package.json')), 'bin/tsc')
  } catch {
    return []
  }
  try {
    await promisify(execFile)(process.execPath, [compiler, '--pretty', 'false', '-p', work], { cwd: folder, maxBuffer: 16 * 1024 * 1024 })
    return []
  } catch (error) {
    const { stdout = '', message } = error as { stdout?: string; message: string }
    return (stdout.trim() || message).split('\n')
  }
}
