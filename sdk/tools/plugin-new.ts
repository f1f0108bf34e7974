import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { newPlugin } from '@stoa/sdk/build'
import type { Manifest } from '@stoa/sdk/manifest'
import { pluginsIn } from '../build/plugins-in.ts'

/** `npm run plugin:new <slug>`: a plugin in `plugins/` that runs at once, with its test. */
const [slug] = process.argv.slice(2)
try {
  if (slug === undefined) throw new Error('Say what it is called: npm run plugin:new <slug>')
  const owner = pluginsIn('plugins').find(
    (folder) => basename(folder) !== slug && pathsOf(folder).some((path) => path.split('/')[1] === slug),
  )
  if (owner !== undefined) throw new Error(`"${slug}" cannot be used: the page /${slug} belongs to ${relative('.', owner)}`)
  const folder = relative('.', newPlugin('plugins', slug, 'repository'))
  addWorkspace(folder)
  console.log(`${folder} is there. Next:
  npm run dev                                     then open http://localhost:3000/${slug}
  npx vitest run --project sqlite ${folder}`)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}

function pathsOf(folder: string): string[] {
  const { contributes } = JSON.parse(readFileSync(join(folder, 'plugin.json'), 'utf8')) as Manifest
  return (contributes?.routes ?? []).map((route) => route.path)
}

/** Names the new workspace in the lock file as `npm install` would; `npm ci` refuses a lock file that lacks one. */
function addWorkspace(folder: string): void {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, object> }
  const workspace = folder.replaceAll('\\', '/')
  lock.packages[`node_modules/${name}`] = { resolved: workspace, link: true }
  lock.packages[workspace] = { name, version, license }
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en')))
  writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`)
}
