import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const BUILT = join(import.meta.dirname, '..', '..', 'build')
/** How schemas are known when they run: a mark of the library, and a key that only schemas have. */
const SCHEMA = /['"]~(kind|optional|fallback)['"]|minLength:\s*\d|additionalProperties\b/

describe('what browsers are sent', () => {
  const files = [...globSync('plugins/*/**/*.{js,mjs}', { cwd: BUILT }), ...globSync('core/browser/**/*.js', { cwd: BUILT })].filter(
    (file) => !file.endsWith('.cjs'),
  )

  it('is read', () => {
    expect(files.length).toBeGreaterThan(50)
    expect(files.some((file) => /"\/answer\/|`\/answer\/|answer\/page/.test(readFileSync(join(BUILT, file), 'utf8')))).toBe(true)
  })

  it('holds no schema of a call: pages know their types and nothing else of them', () => {
    expect(files.filter((file) => SCHEMA.test(readFileSync(join(BUILT, file), 'utf8')))).toEqual([])
  })

  it('would be noticed: server code holds them', () => {
    expect(SCHEMA.test(readFileSync(join(BUILT, 'plugins/answers/server.cjs'), 'utf8'))).toBe(true)
  })
})
