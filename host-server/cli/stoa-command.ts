import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { isCodedError } from '@stoa/sdk'
import { readConfig } from '../config.ts'
import { reservedSlugs } from '../shared/reserved-slugs.ts'
import { exporting, importing } from './archive/commands.ts'
import { doctor } from './doctor.ts'
import { recount } from './kept-numbers.ts'
import { CommandError, Operator, UsageError } from './operator.ts'
import type { KernelCommand } from './operator-commands.ts'
import { commands } from './operator-commands.ts'
import { pluginCommands } from './plugin-commands.ts'
import { buildFolders } from './site-folders.ts'
import { upgrade } from './upgrade.ts'

/** `stoa <command>`: looks after a site, whether it runs or not. Exit codes: 0 done, 1 refused, 2 not understood. */
const own: Record<string, Omit<KernelCommand, 'run'>> = {
  ...commands,
  export: { argument: 'file', help: 'writes the whole site into a new archive, while it runs (--json)' },
  import: { argument: 'file', help: 'restores an archive where no site is yet, on either database (--json)' },
  upgrade: { help: 'saves the database, then brings it to what this version needs' },
  doctor: { help: 'looks at database, numbers, files, disk, mail and plugins, and says what to do (--json)' },
  recount: { help: 'counts votes, answers, followers and the like anew, and sets what is kept of them right' },
}

const helpOf = (known: Iterable<readonly [string, Omit<KernelCommand, 'run'>]>): string =>
  Array.from(known, ([name, { argument, help }]) => `  ${`${name}${argument ? ` <${argument}>` : ''}`.padEnd(36)} ${help}`).join('\n')

function misunderstood(sentence: string): never {
  console.error(`${sentence} "stoa help" lists the commands.`)
  process.exit(2)
}

async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^(y|yes|j|是)$/i.test((await terminal.question(`${question} [y/N] `)).trim())
  } finally {
    terminal.close()
  }
}

function parsed() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        yes: { type: 'boolean', short: 'y', default: false },
        json: { type: 'boolean', default: false },
        data: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
        email: { type: 'string' },
        password: { type: 'string' },
      },
    })
  } catch (error) {
    return misunderstood(`${(error as Error).message.split('. ')[0]}.`)
  }
}

const { values, positionals } = parsed()
// "stoa plugin install x" is the same as "stoa install x".
const [name = 'help', argument, ...rest] = positionals[0] === 'plugin' ? positionals.slice(1) : positionals
const isHelp = name === 'help' || values.help

/** What a doctor says of a site that cannot even be looked at. */
const UNOPENED =
  '      → A file that is damaged: put the last dump in its place. A server that does not answer: start it, and check DATABASE_URL.'

function checkArguments(wanted: string | undefined): void {
  if (wanted && argument === undefined) misunderstood(`"stoa ${name}" needs <${wanted}>.`)
  if (rest.length > 0 || (!wanted && argument !== undefined)) misunderstood(`"${rest[0] ?? argument}" is one argument too many.`)
}

const known = Object.hasOwn(own, name) ? own[name] : undefined
if (known && !isHelp) checkArguments(known.argument)

const open = async () => Operator.open(readConfig(process.env), buildFolders('production'), reservedSlugs())

/** What plugins add is known only of a site. */
async function printHelp(): Promise<void> {
  const site = await open().catch(() => undefined)
  const added = site ? [...pluginCommands(site)].map(([at, { command }]) => [at, command] as const) : []
  await site?.close()
  console.log(`stoa <command>

${helpOf([...Object.entries(own), ...added.filter(([at]) => !Object.hasOwn(own, at))])}

  --yes   agrees to what goes along
The site is the one of STOA_DATA (default "data") and DATABASE_URL, as for "npm start".`)
}

async function run(site: Operator): Promise<void> {
  const { yes, json, data, email, password } = values
  const options = { yes, json, data, email, password, confirm, say: (text: string) => console.log(text) }
  const config = readConfig(process.env)
  if (name === 'doctor') return await doctor(config)(site, '', options)
  if (name === 'recount') return await recount(site, '', options)
  if (name === 'export') return await exporting(config)(site, argument ?? '', options)
  const command = commands[name]
  if (known && command) return await command.run(site, argument ?? '', options)
  const added = pluginCommands(site).get(name)
  if (!added) return misunderstood(`"${name}" is no command.`)
  checkArguments(added.command.argument)
  await added.run(site, argument ?? '', options)
}

// What it writes belongs to the site, and is for its owner's eyes.
process.umask(0o077)
if (isHelp) await printHelp()
else {
  let site: Operator | undefined
  try {
    if (name === 'import') await importing(readConfig(process.env), argument ?? '', { json: values.json, say: (text) => console.log(text) })
    else if (name === 'upgrade') await upgrade(readConfig(process.env), open, { say: (text) => console.log(text) })
    else {
      site = await open()
      await run(site)
    }
  } catch (error) {
    // Without a site nobody knows what its plugins would understand.
    if (!site && !known && error instanceof CommandError) misunderstood(`"${name}" is no command.`)
    // One sentence; the words of errors with a code are made for people.
    console.error(isCodedError(error) ? error.message : ((error as Error)?.message ?? String(error)))
    if (!site && name === 'doctor') console.error(UNOPENED)
    process.exitCode = error instanceof UsageError ? 2 : 1
  } finally {
    await site?.close()
  }
}
