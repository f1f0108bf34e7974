#!/usr/bin/env node
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildPlugins } from './build-plugins.ts'
import { checkProject } from './check-project.ts'
import { followEdits } from './follow-edits.ts'
import { newPlugin } from './new-plugin.ts'
import { packContract } from './pack-contract.ts'
import { packPlugin } from './pack-plugin.ts'

const HELP = `stoa-plugin new      <slug>                             makes the folder <slug> with a plugin that runs at once
stoa-plugin check    [--fix]                            finds what is wrong with it: names, texts, types; --fix names contracts that it uses
stoa-plugin build    [--out <folder>] [--development]   builds the plugin of this folder into <folder>/<slug>; default dist
stoa-plugin dev      --data <folder>                    follows every edit: what is changed takes the place of what runs on the site of this data directory
stoa-plugin pack     [--out <folder>]                   builds it and packs what sites install: an npm tarball in <folder>
stoa-plugin contract [--out <folder>]                   packs what its shared/api.ts exports, for those who work with it

All but "new" are called in the plugin's folder. Node.js 22.18 or newer; a site, which tests start, needs Node.js 26.`

/** `npx stoa-plugin <command>` in a plugin's folder. */
async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      out: { type: 'string', default: 'dist' },
      development: { type: 'boolean', default: false },
      fix: { type: 'boolean', default: false },
      data: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const [given = 'help', slug] = positionals
  const command = values.help ? 'help' : given
  const folder = process.cwd()
  const out = resolve(values.out)
  if (command === 'prepack') throw new Error('These are sources; what sites install is packed with: npx stoa-plugin pack')
  if (command === 'new') {
    if (slug === undefined) throw new Error('Say what it is called: stoa-plugin new <slug>')
    process.stdout.write(`${newPlugin(process.cwd(), slug, 'package')}\n`)
    return
  }
  if (command === 'check' || command === 'build' || command === 'pack') {
    const { errors, warnings } = await checkProject(folder, { types: command !== 'build', fix: values.fix && command === 'check' })
    for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`)
    if (errors.length > 0) throw new Error(errors.join('\n'))
    if (command === 'check') return
  }
  if (command === 'contract') return void process.stdout.write(`${await packContract({ folder, out })}\n`)
  if (command === 'dev') {
    if (values.data === undefined) throw new Error('Say which site: stoa-plugin dev --data <its data directory>')
    return followEdits({ folder, data: resolve(values.data), say: (line) => void process.stdout.write(`${line}\n`) })
  }
  if (command !== 'build' && command !== 'pack') {
    if (command !== 'help') throw new Error(`"${command}" is no command; these are:\n${HELP}`)
    process.stdout.write(`${HELP}\n`)
    return
  }
  const mode = values.development && command === 'build' ? 'development' : 'production'
  const { built, fresh, failed, warnings } = await buildPlugins({ folders: [folder], out, mode })
  for (const { text } of warnings) process.stderr.write(`warning: ${text}\n`)
  if (failed.length > 0) throw new Error(failed.flatMap(({ errors }) => errors).join('\n'))
  const [name = ''] = [...built, ...fresh]
  const made = command === 'pack' ? await packPlugin({ folder, built: resolve(out, name), out }) : resolve(out, name)
  process.stdout.write(`${made}\n`)
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(`stoa-plugin needs Node.js 22.18 or newer; this is ${process.versions.node}.\n`)
  process.exit(1)
}
try {
  await main()
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}
