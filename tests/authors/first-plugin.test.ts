import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CheckoutCopy } from '../support/checkout-copy.ts'
import { copyCheckout } from '../support/checkout-copy.ts'
import type { DevProcess } from '../support/dev-process.ts'
import { cleanEnvironment, startDev } from '../support/dev-process.ts'

const execute = promisify(execFile)
const GUIDE = join(import.meta.dirname, '..', '..', 'sdk', 'docs', 'first-plugin.md')

/** A fenced block: commands, or a file and its content. */
interface Block {
  line: number
  file: string | undefined
  text: string
}

function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm)].map(([whole, language, file, text = '']) => {
    const line = markdown.slice(0, markdown.indexOf(whole)).split('\n').length
    if (language !== 'sh' && file === undefined) throw new Error(`The block at line ${line} is neither commands nor a file`)
    return { line, file, text }
  })
}

let copy: CheckoutCopy
/** Where the reader's shell is. */
let here: string
let dev: DevProcess | undefined

async function run(command: string): Promise<string> {
  try {
    const { stdout } = await execute('bash', ['-c', `set -e\n${command} </dev/null\npwd >"${copy.parent}/.here"`], {
      cwd: here,
      env: cleanEnvironment(),
      maxBuffer: 16e6,
    })
    here = readFileSync(join(copy.parent, '.here'), 'utf8').trim()
    return stdout
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`"${command}" failed:\n${stdout}${stderr}`)
  }
}

const devPage = async (path: string) => (await fetch(`${dev?.url}${path}`, { headers: { 'accept-language': 'en-US' } })).text()

beforeAll(() => {
  copy = copyCheckout()
  here = copy.folder
})
afterAll(() => {
  dev?.stop()
  copy?.remove()
})

describe('npm run plugin:new', () => {
  const files = () => readdirSync(join(copy.folder, 'plugins')).sort()

  it.each([
    ['', 'Say what it is called: npm run plugin:new <slug>'],
    ['Night_', 'at most 50 lower-case letters'],
    ['kernel', 'at most 50 lower-case letters'],
    ['../outside', 'at most 50 lower-case letters'],
    ['votes', 'is taken'],
    ['users', 'the page /users belongs to plugins/accounts'],
    ['static', 'the site itself answers below /static'],
  ])('refuses "%s" with a sentence and writes nothing', async (slug, sentence) => {
    const before = files()
    const lock = readFileSync(join(copy.folder, 'package-lock.json'), 'utf8')
    await expect(run(`npm run --silent plugin:new "${slug}"`.replace(' ""', ''))).rejects.toThrow(sentence)
    expect(files()).toEqual(before)
    expect(readFileSync(join(copy.folder, 'package-lock.json'), 'utf8')).toBe(lock)
  })

  it('makes a plugin that is a workspace of the lock file', async () => {
    await run('npm run plugin:new night-shift')
    const lock = JSON.parse(readFileSync(join(copy.folder, 'package-lock.json'), 'utf8'))
    expect(lock.packages['plugins/night-shift']).toEqual({ name: '@stoa/plugin-night-shift', version: '0.1.0', license: 'Apache-2.0' })
    expect(Object.keys(lock.packages)).toEqual(Object.keys(lock.packages).sort((a, b) => a.localeCompare(b, 'en')))
  })
})

describe('first-plugin.md, followed literally', () => {
  const blocks = blocksOf(readFileSync(GUIDE, 'utf8'))

  it('has commands and files', () => {
    expect(blocks.length).toBeGreaterThan(10)
  })

  it.each(blocks)('works from line $line on', { timeout: 600_000 }, async ({ file, text }) => {
    if (file !== undefined) {
      const path = join(here, file)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
      return
    }
    for (const command of text.trim().split('\n')) {
      if (command === 'npm run dev') {
        dev = await startDev(copy)
        expect(await devPage('/applause')).toContain('Welcome to')
        // What is built for developing declares what it takes and gives as what is built for visitors does.
        expect(dev.printed()).not.toContain('Did not start')
        continue
      }
      // What was changed since is live in the site that was left running.
      if (command.startsWith('npx vitest')) await expect.poll(() => devPage('/applause'), { timeout: 60_000 }).toContain('0 people clap')
      await run(command)
    }
  })

  it('has a site that ends with everything it has started', { timeout: 60_000 }, async () => {
    await dev?.end()
    await expect(fetch(dev?.url ?? '')).rejects.toThrow()
  })

  it('leaves a tarball that sites install', () => {
    expect(existsSync(join(copy.parent, 'my-plugins/night-trains/dist/stoa-plugin-night-trains-0.1.0.tgz'))).toBe(true)
  })
})

it('the plugin that plugin:new made passes its own test and those of every plugin', { timeout: 600_000 }, async () => {
  here = copy.folder
  const only =
    '--project sqlite plugins/night-shift tests/contract/folders.test.ts tests/contract/texts.test.ts tests/boundaries/lock-file.test.ts'
  await run(`npx vitest run ${only}`)
})
