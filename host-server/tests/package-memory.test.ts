import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Found } from '../kernel/packages/scan-folders.ts'
import { toyFiles } from './toys.ts'

let root: string
let memory: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'stoa-memory-'))
  memory = join(root, 'packages.json')
  for (const folder of ['bundled/clock', 'installed/bell']) {
    mkdirSync(join(root, folder), { recursive: true })
    const files = toyFiles(folder.split('/')[1] as string)
    for (const [name, content] of Object.entries(files)) writeFileSync(join(root, folder, name), content)
  }
})
afterEach(() => rmSync(root, { recursive: true }))

/** By a process of its own: one keeps in mind what it has read. */
function scan(): Found {
  const script = `
    import { FolderScanner } from ${JSON.stringify(new URL('../kernel/packages/scan-folders.ts', import.meta.url).href)}
    const roots = ${JSON.stringify(['bundled', 'installed'].map((origin) => ({ folder: join(root, origin), origin })))}
    const found = new FolderScanner(roots, new Set(), ${JSON.stringify(memory)}).scan(new Set())
    console.log(JSON.stringify(found))`
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })) as Found
}
const remembered = () => JSON.parse(readFileSync(memory, 'utf8')) as [string, { generation: string; manifest: { slug: string } }][]

it('what came with the site is remembered for the next start, what somebody installed is read each time', () => {
  const first = scan()
  expect(first.broken).toEqual([])
  expect(remembered().map(([, { manifest }]) => manifest.slug)).toEqual(['clock'])
  expect(scan()).toEqual(first)
  writeFileSync(memory, JSON.stringify(remembered().map(([signature, plugin]) => [signature, { ...plugin, generation: 'from memory' }])))
  expect(scan().bundled).toMatchObject([{ generation: 'from memory' }])
})

it('a file that changes is read again, and what was known of it before is forgotten', () => {
  const [before] = scan().bundled
  writeFileSync(join(root, 'bundled/clock/server.cjs'), 'module.exports = { default: {} } // another')
  const [after] = scan().bundled
  expect(after?.files).not.toBe(before?.files)
  expect(remembered()).toHaveLength(1)
})

it('a memory that is damaged or cannot be written costs nothing but time', () => {
  const whole = scan()
  writeFileSync(memory, '[["half')
  expect(scan()).toEqual(whole)
  memory = join(root, 'nowhere', 'packages.json')
  expect(scan()).toEqual(whole)
  expect(existsSync(memory)).toBe(false)
})
