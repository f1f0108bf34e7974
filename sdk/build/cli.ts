#!/usr/bin/env node
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildPlugins } from './build-plugins.ts'
import { checkProject } from './check-project.ts'
import { newPlugin } from './new-plugin.ts'
import { packPlugin } from './pack-plugin.ts'

const HELP = `stoa-plugin new   <slug>                             makes the folder <slug> with a plugin that runs at once
stoa-plugin check                                    finds what is wrong with it: names, texts, types
stoa-plugin build [--out <folder>] [--development]   builds the plugin of this folder into <folder>/<slug>; default dist
stoa-plugin pack  [--out <folder>]                   builds it and packs what sites install: an npm tarball in <folder>`

/** `npx stoa-plugin <command>` in a plugin's folder. */
async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { out: { type: 'string', default: 'dist' }, development: { type: 'boolean', default: false } },
  })
  const [command = 'help', slug] = positionals
  const folder = process.cwd()
  const out = resolve(values.out)
  if (command === 'prepack') throw new Error('These are sources; what sites install is packed with: npx stoa-plugin pack')
  if (command === 'new') {
    if (slug === undefined) throw new Error('Say what it is called: stoa-plugin new <slug>')
    process.stdout.write(`${newPlugin(process.cwd(), slug, 'package')}\n`)
    return
  }
  if (command === 'check' || command === 'build' || command === 'pack') {
    const { errors, warnings } = await checkProject(folder, { types: command !== 'build' })
    for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`)
    if (errors.length > 0) throw new Error(errors.join('\n'))
    if (command === 'check') return
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

try {
  await main()
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}
