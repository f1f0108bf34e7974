import { spawn } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { checkPlugin, knownContracts, typesOfManifest } from '@stoa/sdk/build'
import { pluginFolders } from './site-folders.ts'

/** Fewer modules than these mean that the tool could not parse what it read, not that all is well. */
const MIN_MODULES = 700

interface Result {
  ok: boolean
  output: string
}

/** Runs a tool of `node_modules/.bin`. */
function run(tool: string, args: string[]): Promise<Result> {
  return new Promise((resolve, reject) => {
    const child = spawn(join('node_modules', '.bin', tool), args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    })
    let output = ''
    child.stdout.on('data', (data) => {
      output += data
    })
    child.stderr.on('data', (data) => {
      output += data
    })
    child.once('error', reject)
    child.once('close', (code) => resolve({ ok: code === 0, output }))
  })
}

/** What was found out about files that have not changed since. */
const KNOWN = join('build', '.check')

/** With one checker: each more checks for itself what it shares with the others (measured on 2 cores: 15 s of CPU instead of 8.7). */
const types = (name: string, project: string) => () =>
  run('tsc', [
    '--pretty',
    'false',
    '--checkers',
    '1',
    '--incremental',
    '--tsBuildInfoFile',
    join(KNOWN, `${name}.tsbuildinfo`),
    '-p',
    project,
  ])

async function boundaries(): Promise<Result> {
  const { output } = await run('depcruise', [
    '--config',
    '.dependency-cruiser.json',
    '--output-type',
    'json',
    'core',
    'host-server',
    'sdk',
    'plugins',
    'examples',
    'tests',
    'rspack.config.ts',
  ])
  const json = output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1)
  const { violations, totalCruised } = (
    JSON.parse(json) as { summary: { violations: { rule: { name: string }; from: string; to: string }[]; totalCruised: number } }
  ).summary
  const lines = violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)
  if (totalCruised < MIN_MODULES) lines.push(`Only ${totalCruised} modules were read; at least ${MIN_MODULES} are there`)
  return { ok: lines.length === 0, output: lines.join('\n') }
}

/** What manifests say, held against contracts, texts and, by the compiler, the components that they name. */
async function manifests(): Promise<Result> {
  const folders = pluginFolders()
  const known = await knownContracts(folders)
  const lines = folders.flatMap((folder) => checkPlugin(folder, known).errors.map((error) => `plugins/${basename(folder)}: ${error}`))
  if (lines.length > 0) return { ok: false, output: lines.join('\n') }
  const work = resolve('build/check')
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  for (const folder of folders) writeFileSync(join(work, `${basename(folder)}.ts`), typesOfManifest(folder, known, work))
  const config = { extends: '../../tsconfig.web.json', include: ['*.ts', '../../sdk/web/assets.d.ts', '../../sdk/ui/*.d.ts'], exclude: [] }
  writeFileSync(join(work, 'tsconfig.json'), JSON.stringify(config))
  return types('manifests', 'build/check')()
}

const checks: Record<string, () => Promise<Result>> = {
  'types (server)': types('server', '.'),
  'types (web)': types('web', 'tsconfig.web.json'),
  'types (shared)': types('shared', 'tsconfig.shared.json'),
  'types (examples)': types('examples', 'tsconfig.examples.json'),
  manifests,
  'types (journeys)': types('journeys', 'tests/journeys'),
  'types (core tests)': types('core-tests', 'core/tests'),
  'lint and format': () => run('biome', ['check', '.', '--error-on-warnings', '--colors=off']),
  boundaries,
  'unused code': () => run('knip', ['--no-progress', '--no-config-hints']),
}

/** Tools that run at a time: each has its own phase on one core, and its own memory. */
const LANES = Math.min(4, availableParallelism())

const waiting = Object.entries(checks)

async function lane(): Promise<void> {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [name, check] = next
    const started = performance.now()
    const { ok, output } = await check()
    console.log(`${ok ? '✓' : '✗'} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`)
    if (ok) continue
    console.log(output.trim())
    process.exitCode = 1
  }
}

/** `npm run check`: all of them, also after one has failed. */
await Promise.all(Array.from({ length: LANES }, lane))
