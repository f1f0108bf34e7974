import type { Location } from '@stoa/sdk/web'
import { Link, NavLink, useNavigate, useParams, useSearchParams } from '@stoa/sdk/web'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { matchRoutes, useRoutes } from 'react-router-dom'
import { describe, expect, it } from 'vitest'
import type { PageMap, RouteRow } from '../../sdk/pages/page-state.ts'
import type { Core } from '../kernel/core.ts'
import { CoreContext } from '../kernel/core.ts'
import { matchPage } from '../kernel/registry.ts'
import type { AppHistory } from '../router/history.ts'
import { createStaticHistory } from '../router/history.ts'
import { AppRouter } from '../router/router.tsx'

const row = (path: string): RouteRow => [path, `web${path}.tsx`, 'main', [], 's', '']
const mapOf = (...paths: string[]): PageMap => ({
  epoch: 1,
  tag: 'x',
  core: 'x',
  language: 'en_US',
  plugins: [['pages', 'g1', paths.map(row), []]],
  navigation: [],
  places: {},
  boot: {},
  languages: [],
  styles: [],
})

/** The route of an address and what it has for its parameters. */
function found(map: PageMap, address: string): [path: string, params: Record<string, string>] | null {
  const match = matchPage(map, createStaticHistory(address).location.pathname)
  return match && [match.route.path, match.params]
}

describe('the route of an address', () => {
  const map = mapOf('/', '/tags', '/tags/:tag', '/tags/:tag/info', '/tags/new', '/files/*', '/:name', '/notes/:a/:b')

  it('has the parameters of the address', () => {
    expect(found(map, '/tags/life/info')).toEqual(['/tags/:tag/info', { tag: 'life' }])
    expect(found(map, '/notes/1/2?page=3#x')).toEqual(['/notes/:a/:b', { a: '1', b: '2' }])
    expect(found(map, '/notes/1')).toBeNull()
  })

  it('has them decoded; a slash within one is not one between them', () => {
    expect(found(map, '/tags/%E7%94%9F%E6%B4%BB')).toEqual(['/tags/:tag', { tag: '生活' }])
    expect(found(map, '/tags/生活')).toEqual(['/tags/:tag', { tag: '生活' }])
    expect(found(map, '/tags/a%2Fb')).toEqual(['/tags/:tag', { tag: 'a/b' }])
    expect(found(map, '/tags/50%25')).toEqual(['/tags/:tag', { tag: '50%' }])
  })

  it('has those that cannot be decoded as they stand', () => {
    expect(found(map, '/tags/%E7%94')).toEqual(['/tags/:tag', { tag: '%E7%94' }])
    expect(found(map, '/tags/100%')).toEqual(['/tags/:tag', { tag: '100%' }])
  })

  it('counts neither case nor a slash at the end', () => {
    expect(found(map, '/TAGS/Life/Info/')).toEqual(['/tags/:tag/info', { tag: 'Life' }])
    expect(found(map, '/tags/')).toEqual(['/tags', {}])
    expect(found(map, '/')).toEqual(['/', {}])
  })

  it('takes the rest of the address where it ends in a star', () => {
    expect(found(map, '/files/a/b%20c.txt')).toEqual(['/files/*', { '*': 'a/b c.txt' }])
    expect(found(map, '/files')).toEqual(['/files/*', { '*': '' }])
  })

  it('is the most special one, and of equals the first', () => {
    expect(found(map, '/tags/new')).toEqual(['/tags/new', {}])
    expect(found(map, '/about')).toEqual(['/:name', { name: 'about' }])
    expect(found(mapOf('/:one', '/:two'), '/x')).toEqual(['/:one', { one: 'x' }])
    expect(found(mapOf('/*', '/x/:y'), '/x/1')).toEqual(['/x/:y', { y: '1' }])
  })

  it('is the one that the library finds among all of them', () => {
    const paths = ['/', '/a', '/a/', '/A/b', '/a/:x', '/a/:x/b', '/a/b/*', '/:x', '/:x/b', '/a/é', '/a/b.c', '/a/:x.txt', '/*']
    const addresses = [
      '/',
      '/a',
      '/a/',
      '/a//',
      '//a',
      '/A/B',
      '/a/b',
      '/a/%62',
      '/a/x/b/',
      '/a/b/c/d',
      '/c',
      '/b/c',
      '/x/b',
      '/a/%C3%A9',
      '/a/b.c',
      '/a/n.txt',
      '/a/x//b',
    ]
    for (const left of paths) {
      const some = paths.filter((path) => path !== left)
      for (const address of addresses) {
        const match = matchRoutes(
          some.map((path) => ({ path })),
          address,
        )?.at(-1)
        expect([left, address, matchPage(mapOf(...some), address)?.route.path]).toEqual([left, address, match?.route.path])
      }
    }
  })

  it('may hold what means something in a pattern', () => {
    expect(found(mapOf('/a.b(c)'), '/a.b(c)')).toEqual(['/a.b(c)', {}])
    expect(found(mapOf('/a.b'), '/aXb')).toBeNull()
  })
})

/** A page at an address, as the frame draws it. */
function drawn(address: string, page: ReactNode, history: AppHistory = createStaticHistory(address), path = '*'): string {
  const Page = () => useRoutes([{ path, element: page }])
  const core = { history, isServer: true } as unknown as Core
  return renderToStaticMarkup(
    <CoreContext value={core}>
      <AppRouter>
        <Page />
      </AppRouter>
    </CoreContext>,
  )
}

describe('a link', () => {
  const hrefOf = (to: string, address = '/tags/life?page=2') => /href="([^"]*)"/.exec(drawn(address, <Link to={to}>x</Link>))?.[1]

  it('leads to an address of the site', () => {
    expect(hrefOf('/users')).toBe('/users')
    expect(hrefOf('/users?a=1&b=2#c')).toBe('/users?a=1&amp;b=2#c')
  })

  it('counts from where one is, as one in HTML does', () => {
    expect(hrefOf('?page=3')).toBe('/tags/life?page=3')
    expect(hrefOf('#top')).toBe('/tags/life?page=2#top')
    expect(hrefOf('info')).toBe('/tags/info')
    expect(hrefOf('../users')).toBe('/users')
    expect(hrefOf('./info', '/tags/life/')).toBe('/tags/life/info')
  })

  it('may lead elsewhere', () => {
    expect(hrefOf('https://example.org/a')).toBe('https://example.org/a')
    expect(hrefOf('mailto:a@example.org')).toBe('mailto:a@example.org')
  })

  it('is a plain link with what it was given', () => {
    expect(
      drawn(
        '/',
        <Link to="/a" className="big" rel="nofollow" replace>
          x
        </Link>,
      ),
    ).toBe('<a class="big" rel="nofollow" href="/a">x</a>')
  })

  it('says that one is there already, at the address itself and below it', () => {
    const isThere = (to: string, address: string, end = false) =>
      drawn(
        address,
        <NavLink to={to} end={end} className="item">
          x
        </NavLink>,
      ).includes('aria-current="page"')
    expect(isThere('/tags', '/tags')).toBe(true)
    expect(isThere('/tags', '/Tags/life')).toBe(true)
    expect(isThere('/tags', '/tags/life', true)).toBe(false)
    expect(isThere('/tags', '/tagsandmore')).toBe(false)
    expect(isThere('/tags?page=2', '/tags')).toBe(true)
    expect(drawn('/tags', <NavLink to="/tags" className="item" />)).toBe('<a class="item" aria-current="page" href="/tags"></a>')
  })
})

describe('a page', () => {
  it('sees its parameters and its query', () => {
    const Page = () => `${useParams().tag} ${useSearchParams()[0].get('q')}`
    expect(drawn('/tags/%E7%94%9F?q=a%20b', <Page />, undefined, '/tags/:tag')).toBe('生 a b')
  })

  it('goes elsewhere from where one is by then', () => {
    const went: [string, string, unknown][] = []
    const history: AppHistory = {
      ...createStaticHistory('/tags/life'),
      push: (to, state) => void went.push(['push', to, state]),
      replace: (to, state) => void went.push(['replace', to, state]),
      go: (delta) => void went.push(['go', String(delta), undefined]),
    }
    let leave: ReturnType<typeof useNavigate> = () => {}
    let ask: ReturnType<typeof useSearchParams>[1] = () => {}
    const Page = () => {
      leave = useNavigate()
      ask = useSearchParams()[1]
      return null
    }
    drawn('/tags/life', <Page />, history)
    leave('/users', { state: 1 })
    ;(history as { location: Location }).location = createStaticHistory('/users/7').location
    leave('8', { replace: true })
    ask({ page: '2' })
    leave(-1)
    expect(went).toEqual([
      ['push', '/users', 1],
      ['replace', '/users/8', undefined],
      ['push', '/users/7?page=2', undefined],
      ['go', '-1', undefined],
    ])
  })
})
