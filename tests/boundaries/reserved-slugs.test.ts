import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { reservedSlugs } from '../../host-server/shared/reserved-slugs.ts'

const PLUGINS = join(import.meta.dirname, '../../plugins')

it('every plugin that comes with the site has its slug in the one list of slugs that others may not take', () => {
  const slugs = readdirSync(PLUGINS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => (JSON.parse(readFileSync(join(PLUGINS, name, 'plugin.json'), 'utf8')) as { slug: string }).slug)
  expect(slugs.length).toBeGreaterThan(10)
  expect(reservedSlugs()).toEqual(expect.arrayContaining(slugs))
})

it('the list is in order and names nothing twice', () => {
  expect(reservedSlugs()).toEqual([...new Set(reservedSlugs())].sort())
})
