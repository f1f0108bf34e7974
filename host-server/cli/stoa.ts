import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { isCodedError } from '@stoa/sdk'
import { readConfig } from '../config.ts'
import { reservedSlugs } from '../shared/reserved-slugs.ts'
import { Operator } from './operator.ts'
import { commands } from './operator-commands.ts'
import { buildFolders } from './site-folders.ts'

/** `stoa <command>`: looks after the plugins of a site, whether it runs or not. Exit codes: 0 done, 1 refused, 2 not understood. */
const HELP = `stoa <command>

${Object.entries(commands)
  .map(([name, { argument, help }]) => `  ${`${name}${argument ? ` <${argument}>` : ''}`.padEnd(36)} ${help}`)
  .join('\n')}

  --yes   agrees to what goes along
The site is the one of STOA_DATA (default "data") and DATABASE_URL, as for "npm start".`

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
if (name === 'help' || values.help) {
  console.log(HELP)
  process.exit(0)
}
const command = Object.hasOwn(commands, name) ? commands[name] : undefined
if (!command) misunderstood(`"${name}" is no command.`)
if (command.argument && argument === undefined) misunderstood(`"stoa ${name}" needs <${command.argument}>.`)
if (rest.length > 0 || (!command.argument && argument !== undefined)) misunderstood(`"${rest[0] ?? argument}" is one argument too many.`)

// What it writes belongs to the site, and is for its owner's eyes.
process.umask(0o077)
let operator: Operator | undefined
try {
  operator = await Operator.open(readConfig(process.env), buildFolders('production').plugins, reservedSlugs())
  const { yes, json, data, email, password } = values
  await command.run(operator, argument ?? '', { yes, json, data, email, password, confirm, say: (text) => console.log(text) })
} catch (error) {
  // One sentence; the words of errors with a code are made for people.
  console.error(isCodedError(error) ? error.message : ((error as Error)?.message ?? String(error)))
  process.exitCode = 1
} finally {
  await operator?.close()
}
