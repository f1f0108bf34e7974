import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Members of the project's `package.json` that the packed one keeps. Nothing is depended on: what is built stands alone. */
const KEPT = [
  'name',
  'version',
  'description',
  'keywords',
  'homepage',
  'bugs',
  'repository',
  'author',
  'contributors',
  'funding',
  'license',
]

/** People read these in a registry and on disk. */
const ALONG = ['README.md', 'LICENSE', 'CHANGELOG.md']

/**
 * Packs a built plugin as an npm tarball: `plugin.json` and what it names stand at the root of the package, no script runs, nothing is depended on.
 * @param options `folder`: the project; `built`: what `buildPlugins` wrote; `out`: where the tarball goes
 * @returns path of the tarball
 * @throws when `package.json` is missing or names another version than `plugin.json`
 */
export async function packPlugin({ folder, built, out }: { folder: string; built: string; out: string }): Promise<string> {
  const file = join(folder, 'package.json')
  if (!existsSync(file)) throw new Error(`${folder} has no package.json; one with a name and the version of plugin.json is needed`)
  const own = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
  const { version } = JSON.parse(readFileSync(join(built, 'plugin.json'), 'utf8')) as { version: string }
  if (own.version !== version)
    throw new Error(`package.json has the version ${own.version} and plugin.json ${version}; they must be the same`)
  const kept = Object.fromEntries(KEPT.filter((key) => key in own).map((key) => [key, own[key]]))
  // What pages load are ES modules, and a site that renders them asks this file whether they are.
  const content = { ...kept, type: 'module' }
  writeFileSync(join(built, 'package.json'), `${JSON.stringify(content, null, 2)}\n`)
  for (const name of ALONG) if (existsSync(join(folder, name))) cpSync(join(folder, name), join(built, name))
  mkdirSync(out, { recursive: true })
  const { stdout } = await run('npm', ['pack', built, '--json', '--ignore-scripts', '--pack-destination', out], {
    shell: process.platform === 'win32',
  })
  return join(out, (JSON.parse(stdout) as { filename: string }[])[0]?.filename ?? '')
}
