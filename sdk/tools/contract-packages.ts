import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { pluginsIn } from '../build/plugins-in.ts'
import type { Manifest } from '../shared/manifest.ts'
import type { PackageJson } from './sdk-package.ts'
import { addressJavaScript, readJson } from './sdk-package.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '..', '..')
const shell = process.platform === 'win32'

/**
 * Packs the contract of each plugin as other projects install it: tokens and types of `shared/api.ts`, imported from `<package>/api` as here.
 * @param out folder for the tarballs, made when it is not there
 * @returns paths of the tarballs
 */
export async function packContracts(out: string): Promise<string[]> {
  const work = mkdtempSync(join(tmpdir(), 'stoa-contracts-'))
  const packages = new Map(
    pluginsIn(join(root, 'plugins'))
      .filter((folder) => existsSync(join(folder, 'shared/api.ts')))
      .map((folder) => [basename(folder), { ...readJson(join(folder, 'package.json')), version: contractVersion(folder) }] as const),
  )
  const options = ['--noEmit', 'false', '--declaration', '--rewriteRelativeImportExtensions', '--rootDir', root, '--outDir', work]
  try {
    await run(join(root, 'node_modules/.bin/tsc'), ['-p', join(root, 'tsconfig.shared.json'), '--checkers', '1', ...options], { shell })
    const folders = [...packages.keys()].map((name) => contractFolder(join(work, 'plugins', name), packages))
    mkdirSync(out, { recursive: true })
    const { stdout } = await run('npm', ['pack', ...folders, '--json', '--pack-destination', resolve(out)], { shell })
    return (JSON.parse(stdout) as { filename: string }[]).map(({ filename }) => join(resolve(out), filename))
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** What `provides` says of the plugin's own contract: its package is another than the plugin's. */
function contractVersion(folder: string): string {
  const { slug, version, provides = {} } = JSON.parse(readFileSync(join(folder, 'plugin.json'), 'utf8')) as Manifest
  return Object.hasOwn(provides, slug) ? (provides[slug] as string) : version
}

/** Makes a package of the compiled contract. Other contracts that it speaks of become packages that it depends on. */
function contractFolder(compiled: string, packages: ReadonlyMap<string, PackageJson>): string {
  const folder = join(compiled, 'package')
  const { name, version, license } = packages.get(basename(compiled)) as PackageJson
  const dependencies: Record<string, string> = {}
  mkdirSync(folder)
  // Of schemas the contract speaks in types alone; those who write calls of the same shape take the schemas themselves.
  const files = ['api.js', 'api.d.ts', ...(existsSync(join(compiled, 'shared', 'schemas.js')) ? ['schemas.js', 'schemas.d.ts'] : [])]
  for (const file of files) {
    cpSync(join(compiled, 'shared', file), join(folder, file))
    addressJavaScript(join(folder, file))
    const source = readFileSync(join(folder, file), 'utf8').replace(
      /\.\.\/\.\.\/([\w-]+)\/shared\/(api|schemas)\.js/g,
      (_, other: string, part: string) => {
        const contract = packages.get(other) as PackageJson
        dependencies[contract.name] = `^${contract.version}`
        return `${contract.name}/${part}`
      },
    )
    writeFileSync(join(folder, file), source)
    // What the contract is written in beside `api.ts`: code asks for code, types for types.
    for (const [, name] of source.matchAll(/['"]\.\/([\w-]+)\.js['"]/g)) {
      const part = `${name}${file.endsWith('.d.ts') ? '.d.ts' : '.js'}`
      if (!files.includes(part)) files.push(part)
    }
  }
  const { version: sdk } = readJson(join(root, 'sdk/package.json'))
  const content = {
    name,
    version,
    description: 'Contract of a plugin for those that work with it: tokens and types, no implementation.',
    license,
    type: 'module',
    sideEffects: false,
    exports: Object.fromEntries(
      ['api', 'schemas'].flatMap((part) =>
        files.includes(`${part}.d.ts`) ? [[`./${part}`, { types: `./${part}.d.ts`, default: `./${part}.js` }]] : [],
      ),
    ) as never,
    dependencies,
    peerDependencies: { '@stoa/sdk': `^${sdk}` },
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(content, null, 2)}\n`)
  return folder
}
