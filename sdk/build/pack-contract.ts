import { execFile } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { sdkVersion } from '../kernel/check-manifest.ts'
import type { Manifest } from '../shared/manifest.ts'

const run = promisify(execFile)

/**
 * Packs what a plugin's `shared/api.ts` exports, for those who work with it: tokens and types, no implementation. Its version is that of the contract.
 * Other contracts that it speaks of become packages that it depends on.
 * @param options `folder`: the project; `out`: where the tarball goes
 * @returns path of the tarball
 * @throws when there is no contract, no version of it, no compiler, or when it does not compile
 */
export async function packContract({ folder, out }: { folder: string; out: string }): Promise<string> {
  const { slug, provides = {} } = read<Manifest>(join(folder, 'plugin.json'))
  const own = read<{ name?: string; license?: string } & Record<string, Record<string, string>>>(join(folder, 'package.json'))
  if (!existsSync(join(folder, 'shared/api.ts'))) throw new Error('There is no shared/api.ts, so nobody can work with this plugin')
  const version = Object.hasOwn(provides, slug) ? provides[slug] : undefined
  if (version === undefined) throw new Error(`plugin.json does not say which version its contract has: "provides": { "${slug}": "1.0.0" }`)
  const work = join(folder, '.stoa', 'contract')
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  await compile(folder, work)
  const named: Record<string, string> = { ...own.peerDependencies, ...own.devDependencies, ...own.dependencies }
  const files = globSync('*.{js,d.ts}', { cwd: work })
  const imported = files.flatMap((file) =>
    [...readFileSync(join(work, file), 'utf8').matchAll(/from\s*['"]((?:@[\w.-]+\/)?[\w-][\w.-]*)/g)].map(([, name]) => name as string),
  )
  const others = [...new Set(imported)].filter((name) => name !== '@stoa/sdk' && name !== 'typebox').sort()
  const unknown = others.find((name) => named[name] === undefined)
  if (unknown !== undefined) throw new Error(`shared/ imports ${unknown}, which package.json does not name`)
  const parts = ['api', 'schemas'].filter((part) => files.includes(`${part}.js`))
  const content = {
    name: `${own.name}-contract`,
    version,
    description: `Contract of the plugin ${slug} for those that work with it: tokens and types, no implementation.`,
    ...(own.license && { license: own.license }),
    type: 'module',
    sideEffects: false,
    exports: Object.fromEntries(parts.map((part) => [`./${part}`, { types: `./${part}.d.ts`, default: `./${part}.js` }])),
    dependencies: Object.fromEntries(others.map((name) => [name, named[name]])),
    peerDependencies: { '@stoa/sdk': `^${sdkVersion}` },
  }
  writeFileSync(join(work, 'package.json'), `${JSON.stringify(content, null, 2)}\n`)
  mkdirSync(out, { recursive: true })
  const { stdout } = await run('npm', ['pack', work, '--json', '--ignore-scripts', '--pack-destination', out], {
    shell: process.platform === 'win32',
  })
  return join(out, (JSON.parse(stdout) as { filename: string }[])[0]?.filename ?? '')
}

const read = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T

async function compile(folder: string, work: string): Promise<void> {
  const config = join(folder, '.stoa', 'tsconfig.contract.json')
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    allowImportingTsExtensions: true,
    rewriteRelativeImportExtensions: true,
    rootDir: '../shared',
    outDir: './contract',
  }
  writeFileSync(config, JSON.stringify({ extends: '../tsconfig.json', compilerOptions, include: ['../shared/**/*.ts'], exclude: [] }))
  const compiler = join(dirname(createRequire(join(folder, 'package.json')).resolve('typescript/package.json')), 'bin/tsc')
  try {
    await run(process.execPath, [compiler, '--pretty', 'false', '-p', config], { cwd: folder })
  } catch (error) {
    const { stdout = '', message } = error as { stdout?: string; message: string }
    throw new Error(stdout.trim() || message)
  }
  // Declarations keep the endings of the sources.
  for (const file of globSync('*.d.ts', { cwd: work })) {
    const text = readFileSync(join(work, file), 'utf8')
    writeFileSync(join(work, file), text.replace(/((?:from|import\()\s*['"]\.{1,2}\/[^'"]*)\.ts(['"])/g, '$1.js$2'))
  }
}
