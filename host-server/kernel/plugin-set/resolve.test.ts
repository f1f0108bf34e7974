import type { Manifest } from '@stoa/sdk/manifest'
import { describe, expect, it } from 'vitest'
import type { DiscoveredPlugin } from '../../shared/types.ts'
import { contributing } from '../runtime/contributions.ts'
import { resolve } from './resolve.ts'

/** A plugin that only has facts. */
function plugin(slug: string, facts: Partial<Manifest> = {}, origin: DiscoveredPlugin['origin'] = 'installed'): DiscoveredPlugin {
  const contracts = { offers: {}, uses: {} }
  const manifest = {
    slug,
    version: '1.0.0',
    type: 'route',
    sdk: '^1.0.0',
    contributes: {},
    contracts,
    ...facts,
  } as DiscoveredPlugin['manifest']
  return { manifest, folder: '', files: '', generation: slug, origin }
}
const showing = (...paths: string[]): Partial<Manifest> => ({
  contributes: { routes: paths.map((path) => ({ path, module: 'web/page.tsx', layout: 'main' as const })) },
})
const slugs = (plugins: readonly DiscoveredPlugin[]) => plugins.map(({ manifest }) => manifest.slug)

describe('entries with names', () => {
  const site = plugin('site', {
    points: { 'site.rights': { names: 'name' } },
    contributes: { 'site.rights': [{ name: 'report.add' }] },
  })
  const naming = (slug: string, rights: unknown, facts: Partial<Manifest> = {}) =>
    plugin(slug, { ...facts, contributes: { 'site.rights': rights } })
  const problem = (...plugins: DiscoveredPlugin[]) => [...resolve([site, ...plugins], new Set(['site'])).problems]

  it('belong to the plugin whose slug or kind they begin with; the owner of the point names the rest', () => {
    expect(problem(naming('apples', [{ name: 'apples.eat' }, { name: 'apple.peel' }], { kinds: { apple: 7 } }))).toEqual([])
    expect(problem(naming('zoo', [{ name: 'apple.peel' }], { kinds: { cage: 8 } }))).toEqual([
      ['zoo', '"apple.peel" in site.rights must begin with "zoo." or "cage."'],
    ])
  })

  it('are given once, and to who has them', () => {
    const twice = [naming('report', { name: 'report.add' }), naming('other', [{ name: 'other.x' }])]
    expect(problem(...twice)).toEqual([['report', '"report.add" in site.rights belongs to site']])
  })

  it('have a name', () => {
    expect(problem(naming('zoo', 'zoo.look'))).toEqual([['zoo', '"contributes" must give each entry of site.rights a "name"']])
  })

  it('of a plugin that was built with sdk 1.0 are left out where they are not its own', () => {
    const old = naming('zoo', [{ name: 'apple.peel' }, { name: 'zoo.look' }, { name: 'report.add' }], { contracts: undefined as never })
    expect(problem(old)).toEqual([])
    const rows = contributing([site, old])
    expect(rows.map(({ contributes }) => contributes['site.rights'])).toEqual([[{ name: 'report.add' }], [{ name: 'zoo.look' }]])
  })

  it('are free while nobody owns the point', () => {
    expect([...resolve([naming('zoo', 'anything')]).problems]).toEqual([])
  })
})

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
