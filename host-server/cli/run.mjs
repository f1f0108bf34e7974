/**
 * `node run.mjs <command>`: the way into every command of this folder. Plain JavaScript, because it must say what is missing
 * on a Node.js that cannot run TypeScript.
 */
import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

// Asked to leave before there is anything to end: a good end, also while modules are still being loaded.
if (process.argv[2] === 'start') for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(0))
// Paths that somebody types mean the folder they are in.
process.env.INIT_CWD ??= process.cwd()

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '..', '..')
const [command = '', ...rest] = process.argv.slice(2)

function refusal() {
  if (!existsSync(join(root, 'node_modules', 'fastify'))) return 'The packages are not installed: run "npm ci" in this folder first.'
  if (Number(process.versions.node.split('.')[0]) >= 26) return undefined
  const pinned = existsSync(join(root, 'node_modules', '.bin', 'node'))
  return pinned
    ? `This is Node.js ${process.versions.node}; run it as "npm run ${command}", which uses the Node.js 26 of node_modules.`
    : `Stoa needs Node.js 26, and the one it brings along is not installed: run "npm ci" without --omit=optional (this is Node.js ${process.versions.node}).`
}

const reason = refusal()
if (reason !== undefined) {
  console.error(reason)
  process.exit(1)
}
process.chdir(root)
// Without it every start, and every worker thread, takes the types out of some hundred files again: a second and tens of megabytes.
process.env.NODE_COMPILE_CACHE ??= join(root, 'build', '.compiled')
enableCompileCache(process.env.NODE_COMPILE_CACHE)
process.argv = [process.argv[0], join(here, `${command}.ts`), ...rest]
await import(pathToFileURL(process.argv[1]).href)
