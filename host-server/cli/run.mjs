/**
 * `node run.mjs <command>`: the way into every command of this folder. Plain JavaScript, because it must say what is missing
 * on a Node.js that cannot run TypeScript.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

// Asked to leave before there is anything to end: a good end, also while modules are still being loaded.
if (['start', 'dev'].includes(process.argv[2])) for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(0))
// Paths that somebody types mean the folder they are in.
process.env.INIT_CWD ??= process.cwd()

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '..', '..')
const [command = '', ...rest] = process.argv.slice(2)

const site = 'The site is the one of STOA_DATA (default "data") and DATABASE_URL'
/** What "--help" prints; "stoa" has a help of its own. */
const help = new Map(
  Object.entries({
    start: `npm start\n  Builds what is stale and serves. ${site}, at HOST and PORT (default 3000). SIGTERM or Ctrl+C ends it.`,
    dev: `npm run dev\n  Serves builds for development, and follows every edit of plugins/ and core/: what is changed takes the place of what runs, and\n  open pages show it. ${site}, at PORT (default 3000). SIGTERM or Ctrl+C ends it.`,
    build:
      'npm run build [-- --force]\n  Builds core/ and plugins/ into build/. What has not changed is left as it is, unless --force says otherwise.',
    check:
      'npm run check\n  Types, names in manifests, texts, lint and format, boundaries, unused code. All of them, also after one has failed.',
    seed: `npm run seed [-- --posts N]\n  Fills a site with N posts (default 1000) and what belongs to them. ${site}; an empty one is set up first,\n  with STOA_ADMIN_NAME, STOA_ADMIN_EMAIL and STOA_ADMIN_PASSWORD. The last line is JSON: what was made.`,
    'plugin-new':
      'npm run plugin:new <slug>\n  Makes plugins/<slug> with a plugin that runs at once: a page, a call, texts in both languages, a test.',
    docs: 'npm run docs\n  Writes what is generated from the code: the references, the API report, the index of decisions.',
    'pack-sdk':
      'npm run pack:sdk [-- <folder>]\n  Packs the sdk for plugin projects, and beside it the contracts of our plugins; default folder "build".',
    bench:
      'npm run bench\n  Measures a site that is filled, beside a bare one; takes minutes. Figures and their limits stand in tests/bench.',
    summary: 'npm run summary\n  Prints how many tests passed and failed in the last run.',
  }),
)
if (rest.some((argument) => argument === '--help' || argument === '-h') && help.has(basename(command))) {
  console.log(help.get(basename(command)))
  process.exit(0)
}

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
if (command === 'start') await start()
else {
  process.argv = [process.argv[0], join(here, `${command}.ts`), ...rest]
  await import(pathToFileURL(process.argv[1]).href)
}

/**
 * Builds what is stale, then serves in this very process, so that signals and the exit code are the server's own. The compiler would stay in the server's
 * memory, and so would what takes the types out (measured: 18 MB): the one has a process of its own, the other is not needed here.
 */
async function start() {
  const building = new Promise((resolve) => {
    const child = spawn(process.execPath, [fileURLToPath(import.meta.url), 'build', '--start'], { stdio: 'inherit' })
    // Listeners that were there before end this process; so that the build ends too.
    process.once('exit', () => child.kill())
    child.once('exit', resolve)
  })
  const built = pathToFileURL(join(root, 'build', 'host', 'commands.mjs'))
  const isBuilt = existsSync(built)
  // Meanwhile, on another processor; a build that was ended may have left anything.
  const standing = isBuilt ? await import(built.href).catch(() => undefined) : undefined
  const isCurrent = (await standing?.isCurrent?.()) === true
  if (isCurrent) await standing.kernel()
  if ((await building) !== 0) process.exit(1)
  // Of the same address there is one module, whatever the file is by now.
  const { main } = isCurrent ? standing : await import(isBuilt ? `${built.href}?built` : built.href)
  await main()
}
