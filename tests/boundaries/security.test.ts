import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..', '..')

it('SECURITY.md names tests and pages that are there', () => {
  const named = [...readFileSync(join(root, 'SECURITY.md'), 'utf8').matchAll(/`([\w./-]+\/[\w.-]+\.(?:test\.ts|md))`/g)].map(
    ([, file]) => file as string,
  )
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([])
})
