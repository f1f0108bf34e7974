import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import rootPackage from '../../package.json' with { type: 'json' }
import { packContracts } from '../../sdk/tools/contract-packages.ts'
import { packSdk } from '../../sdk/tools/sdk-package.ts'

const versions: Record<string, string> = { ...rootPackage.dependencies, ...rootPackage.devDependencies }
const execute = promisify(execFile)
export const ROOT = join(import.meta.dirname, '..', '..')

export interface OutsideProject {
  folder: string
  /** Runs a command of the project in one of its folders. @returns what it printed @throws with everything it printed */
  run(folder: string, command: string, ...args: string[]): Promise<string>
  /** The same for one that goes on until it is ended. */
  start(folder: string, command: string, ...args: string[]): { end(): Promise<void> }
  remove(): void
}

/** A folder outside of the repository that has the packed sdk and contracts, what plugins are checked with, and copies of the given folders. */
export async function outsideProject(folders: string[]): Promise<OutsideProject> {
  const folder = mkdtempSync(join(tmpdir(), 'stoa-outside-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  const env = {
    ...process.env,
    // This Node.js, whatever else is installed; and nothing of the repository's own tools.
    PATH: [join(folder, 'node_modules', '.bin'), dirname(process.execPath), process.env.PATH].join(delimiter),
    STOA_CHECKOUT: ROOT,
    STOA_TEST_DATABASE: 'sqlite',
    NODE_OPTIONS: '',
  }
  const run = async (where: string, command: string, ...args: string[]) => {
    try {
      return (await execute(command, args, { cwd: join(folder, where), env, shell: process.platform === 'win32' })).stdout
    } catch (error) {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
      throw new Error(`${command} ${args.join(' ')} in ${where} failed:\n${stdout}${stderr}`)
    }
  }
  const start = (where: string, command: string, ...args: string[]) => {
    const child = spawn(command, args, { cwd: join(folder, where), env, stdio: 'ignore', shell: process.platform === 'win32' })
    const gone = once(child, 'exit')
    return {
      end: async () => {
        child.kill('SIGTERM')
        await gone
      },
    }
  }
  try {
    for (const source of folders) cpSync(source, join(folder, source.split(/[\\/]/).at(-1) as string), { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{ "name": "outside", "private": true, "type": "module" }')
    const tools = ['typescript', '@types/react', 'kysely'].map((name) => `${name}@${versions[name]}`)
    const packed = [await packSdk(folder), ...(await packContracts(folder))]
    await run('.', 'npm', 'install', ...packed, ...tools, '--prefer-offline', '--no-audit', '--no-fund')
  } catch (error) {
    remove()
    throw error
  }
  return { folder, run, start, remove }
}
