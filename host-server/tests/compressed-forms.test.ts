import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addCompressedForms } from '../../sdk/build/compressed-forms.ts'
import { readPlugin } from '../kernel/packages/scan-folders.ts'
import { createPackageStore } from '../kernel/packages/store.ts'
import type { DiscoveredPlugin } from '../shared/types.ts'
import { toyFiles } from './toys.ts'

const CODE = 'export const words = ["harbour", "meadow", "lantern"]\n'.repeat(100)

let root: string
let folder: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'stoa-forms-'))
  folder = join(root, 'clock')
  mkdirSync(folder)
  for (const [name, content] of Object.entries({ ...toyFiles('clock'), 'words.js': CODE, 'small.css': 'a{}' }))
    writeFileSync(join(folder, name), content)
})
afterEach(() => rmSync(root, { recursive: true }))

function read(of = folder): DiscoveredPlugin {
  const found = readPlugin(of, 'installed')
  if ('problem' in found) throw found.problem
  return found
}
const forms = (of: string) => readdirSync(of).filter((name) => /\.(br|gz)$/.test(name))

describe('compressed forms of a file', () => {
  it('are written for what browsers load, where that makes it smaller', async () => {
    await addCompressedForms(folder)
    expect(forms(folder)).toEqual(['words.js.br', 'words.js.gz'])
    expect(brotliDecompressSync(readFileSync(join(folder, 'words.js.br'))).toString()).toBe(CODE)
    expect(gunzipSync(readFileSync(join(folder, 'words.js.gz'))).toString()).toBe(CODE)
  })

  it('make no other plugin of it', async () => {
    const { generation, files } = read()
    await addCompressedForms(folder)
    expect(read()).toMatchObject({ generation, files })
    writeFileSync(join(folder, 'words.js.gz'), gzipSync(CODE, { level: 1 }))
    expect(read()).toMatchObject({ generation, files })
  })

  it('are files like others without the file that they would be a form of', () => {
    const { generation } = read()
    writeFileSync(join(folder, 'data.br'), 'anything')
    expect(read().generation).not.toBe(generation)
  })

  it('have to be forms of exactly that file', () => {
    for (const [name, content] of [
      ['words.js.br', brotliCompressSync('alert(1)')],
      ['words.js.br', brotliCompressSync(`${CODE}alert(1)`)],
      ['words.js.gz', gzipSync(Buffer.alloc(50_000_000))],
      ['words.js.gz', Buffer.from('no gzip at all')],
    ] as const) {
      writeFileSync(join(folder, name), content)
      expect(() => read(), name).toThrow(expect.objectContaining({ code: 'error.package.file_changed', params: { name } }))
      rmSync(join(folder, name))
    }
    expect(() => read()).not.toThrow()
  })

  it('are made once for a package that brings none, when it comes into the store', async () => {
    const store = createPackageStore(join(root, 'plugins'))
    const dropped = read()
    const kept = await store.copyToStore(dropped)
    expect(kept.generation).toBe(dropped.generation)
    expect(forms(kept.folder)).toEqual(['words.js.br', 'words.js.gz'])
    expect(read(kept.folder).generation).toBe(dropped.generation)
    expect(forms(folder)).toEqual([])
    expect((await store.place(kept)).folder).toBe(kept.folder)
  })
})
