import { execFile } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, extname, join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '..', '..')
const windows = process.platform === 'win32'

/** Files of the sdk that are data, beside what the compiler writes. */
const DATA = [
  'package.json',
  'tsconfig.plugin.json',
  'shared/manifest.schema.json',
  'build/migrations-entry.js',
  'build/refresh-loader.js',
  'build/pure-loader.js',
  'ui/tokens.css',
  'web/assets.d.ts',
  'README.md',
]

/** Modules of pages that the build puts into the plugins that use them. */
const BUNDLED = ['./web/member-settings.ts']

/** Writes the sdk's declarations, and the code of what runs outside a site, as `<out>/sdk/…`; files that they were checked with land beside. */
export async function emitSdk(out: string): Promise<void> {
  const common = ['--noEmit', 'false', '--declaration', '--checkers', '1', '--rootDir', root, '--outDir', out]
  const tsc = join(root, 'node_modules', '.bin', 'tsc')
  try {
    await run(tsc, ['-p', join(root, 'sdk', 'tsconfig.server.json'), ...common], { shell: windows })
    await run(tsc, ['-p', join(root, 'sdk', 'tsconfig.web.json'), '--emitDeclarationOnly', ...common], { shell: windows })
  } catch (error) {
    throw new Error(`The sdk does not compile:\n${(error as { stdout?: string }).stdout ?? String(error)}`)
  }
  const missing = leadingNowhere(join(out, 'sdk'))
  if (missing.length > 0)
    throw new Error(`Not every file of the sdk was written; its entries belong to tsconfig.server.json:\n${missing.join('\n')}`)
}

/** What a file takes from another of the sdk: what stands before the path, the path without its ending, the quote behind. */
const RELATIVE = /((?:from|import\()\s*['"])(\.{1,2}\/[^'"]*)\.tsx?(['"])/g

/** Examples stand in them. */
const DOC_TEXTS = /\/\*\*[\s\S]*?\*\//g

/** The compiler leaves out, of some runs, what it came to first by the package's own name (seen with TypeScript 7.0): a file that is no root. */
function leadingNowhere(folder: string): string[] {
  return globSync('**/*.d.ts', { cwd: folder }).flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').replace(DOC_TEXTS, '').matchAll(RELATIVE)]
      .map(([, , path = '']) => join(folder, dirname(file), `${path}.d.ts`))
      .filter((path) => !existsSync(path))
      .map((path) => `${file}: ${path}`),
  )
}

export interface PackageJson {
  name: string
  version: string
  exports: Record<string, string>
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  bin?: Record<string, string>
  [member: string]: unknown
}

export const readJson = (file: string): PackageJson => JSON.parse(readFileSync(file, 'utf8')) as PackageJson

/**
 * Packs the sdk as other projects install it: JavaScript and declarations instead of sources, which Node.js does not run from `node_modules`.
 * What pages use (`web`, `ui`) is declared only, since a site's core brings it, but for what each plugin has of its own.
 * @param out folder for the tarball, made when it is not there
 * @returns path of the tarball
 */
export async function packSdk(out: string): Promise<string> {
  const work = mkdtempSync(join(tmpdir(), 'stoa-sdk-'))
  try {
    await emitSdk(work)
    const folder = join(work, 'sdk')
    for (const file of globSync('web/*.js', { cwd: folder })) rmSync(join(folder, file))
    for (const file of BUNDLED)
      writeFileSync(join(folder, compiled(file, '.js')), stripTypeScriptTypes(readFileSync(join(root, 'sdk', file), 'utf8')))
    for (const file of DATA) cpSync(join(root, 'sdk', file), join(folder, file))
    for (const file of globSync('**/*.{js,d.ts}', { cwd: folder })) addressJavaScript(join(folder, file))
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packageJson(folder), null, 2)}\n`)
    mkdirSync(out, { recursive: true })
    const { stdout } = await run('npm', ['pack', folder, '--json', '--pack-destination', resolve(out)], { shell: windows })
    return join(resolve(out), (JSON.parse(stdout) as { filename: string }[])[0]?.filename ?? '')
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Declarations keep the endings of the sources, and code of computed addresses must stay as it is. */
export function addressJavaScript(file: string): void {
  const source = readFileSync(file, 'utf8')
  writeFileSync(file, source.replace(RELATIVE, '$1$2.js$3'))
}

/** The workspace's `package.json` with what was compiled in place of sources, and the packages that are imported. */
function packageJson(folder: string): PackageJson {
  const { private: _, scripts: __, exports, bin, ...rest } = readJson(join(root, 'sdk', 'package.json'))
  return {
    ...rest,
    exports: Object.fromEntries(Object.entries(exports).map(([key, file]) => [key, conditions(file)])) as never,
    bin: Object.fromEntries(Object.entries(bin ?? {}).map(([name, file]) => [name, compiled(file, '.js')])),
    dependencies: importedPackages(folder),
    // Only for tests on PostgreSQL.
    peerDependencies: { pg: '*' },
    peerDependenciesMeta: { pg: { optional: true } },
    engines: { node: '>=22.18' },
  }
}

const compiled = (file: string, ending: string): string => file.replace(/\.tsx?$/, ending)

function conditions(file: string): string | Record<string, string> {
  if (file.endsWith('.d.ts')) return { types: file }
  if (!['.ts', '.tsx'].includes(extname(file))) return file
  const types = compiled(file, '.d.ts')
  return /^\.\/(web|ui)\//.test(file) && !BUNDLED.includes(file) ? { types } : { types, default: compiled(file, '.js') }
}

/** Packages that the compiled files import, with the versions of this repository, and the types of those that bring none. */
function importedPackages(folder: string): Record<string, string> {
  const { dependencies, devDependencies } = readJson(join(root, 'package.json'))
  const versions = { ...dependencies, ...devDependencies }
  const found = new Set<string>()
  for (const file of globSync('**/*.{js,d.ts}', { cwd: folder })) {
    for (const [, name = ''] of readFileSync(join(folder, file), 'utf8').matchAll(/(?:from |import\()['"]((?:@[\w-]+\/)?[\w-]+)/g)) {
      if (name in versions && name !== 'pg') found.add(name)
      if (`@types/${name}` in versions && file.endsWith('.d.ts')) found.add(`@types/${name}`)
    }
  }
  // For `node:http` in the declarations of routes.
  found.add('@types/node')
  return Object.fromEntries([...found].sort().map((name) => [name, versions[name] as string]))
}
