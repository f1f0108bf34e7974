import type { Manifest } from '@stoa/sdk'
import { describe, expect, it } from 'vitest'
import type { DiscoveredPlugin } from '../../types.ts'
import { resolve } from './resolve.ts'

/** A plugin that only has facts. */
function plugin(slug: string, facts: Partial<Manifest> = {}, origin: DiscoveredPlugin['origin'] = 'installed'): DiscoveredPlugin {
  const manifest = { slug, version: '1.0.0', type: 'route', sdk: '^1.0.0', contributes: {}, ...facts } as DiscoveredPlugin['manifest']
  return { manifest, folder: '', files: '', generation: slug, origin }
}
const showing = (...paths: string[]): Partial<Manifest> => ({
  contributes: { routes: paths.map((path) => ({ path, module: 'web/page.tsx', layout: 'main' as const })) },
})
const slugs = (plugins: readonly DiscoveredPlugin[]) => plugins.map(({ manifest }) => manifest.slug)

describe('two plugins with one page', () => {
  it.each([
    ['/bells', '/bells'],
    ['/bells/:name', '/bells/:id'],
    ['/bells/', '/Bells'],
  ])('are not on together: %s and %s', (one, other) => {
    const { ordered, problems } = resolve([plugin('apple', showing(one)), plugin('zoo', showing(other))])
    expect([slugs(ordered), [...problems]]).toEqual([['apple'], [['zoo', `The page ${other} is already shown by apple`]]])
  })

  it('lose what they have neither to what comes later nor to what was installed', () => {
    const page = showing('/admin/:slug')
    expect(slugs(resolve([plugin('apple', page), plugin('zoo', page)], new Set(['zoo'])).ordered)).toEqual(['zoo'])
    expect(slugs(resolve([plugin('apple', page), plugin('zoo', page, 'bundled')]).ordered)).toEqual(['zoo'])
  })

  it('stay on where their addresses differ, or one plugin has both', () => {
    const { problems } = resolve([plugin('apple', showing('/bells/:name', '/bells/:id')), plugin('zoo', showing('/bells', '/bells/new'))])
    expect([...problems]).toEqual([])
  })
})
