import { describe, expect, it } from 'vitest'
import { checkManifest, sdkVersion } from '../kernel/check-manifest.ts'

const complete = { slug: 'votes', version: '1.2.0', type: 'route', sdk: '^1.0.0' }

/** What is wrong with the complete manifest after a change. */
const errorsOf = (change: object): string[] => {
  const checked = checkManifest({ ...complete, ...change })
  return 'errors' in checked ? checked.errors : []
}

describe('a manifest', () => {
  it('is complete with slug, version, type and sdk', () => {
    expect(checkManifest(complete)).toEqual({ ok: complete })
  })

  it('may have members that nobody knows', () => {
    expect(errorsOf({ funding: 'x', contributes: { 'site.permissions': ['a'] } })).toEqual([])
  })

  it.each([
    [null, 'plugin.json must be an object; found null'],
    [[], 'plugin.json must be an object; found a list'],
    ['text', 'plugin.json must be an object; found "text"'],
  ])('is an object, not %j', (json, error) => {
    expect(checkManifest(json)).toEqual({ errors: [error] })
  })

  it('names everything that is missing', () => {
    expect(checkManifest({})).toEqual({ errors: ['"slug" is missing', '"version" is missing', '"type" is missing', '"sdk" is missing'] })
  })

  it.each([
    [{ slug: 'My Plugin' }, /^"slug" must be .*; found "My Plugin"$/],
    [{ slug: 'kernel' }, /^"slug" must be .*; found "kernel"$/],
    [{ version: '1' }, '"version" must be a version such as 1.2.0; found "1"'],
    [{ sdk: 'newest' }, '"sdk" must be a range of versions such as ^1.0.0; found "newest"'],
    [{ needs: { 'a.b': 'x y z' } }, '"needs["a.b"]" must be a range of versions such as ^1.0.0; found "x y z"'],
    [{ provides: { 'a.b': '^1.0.0' } }, '"provides["a.b"]" must be a version such as 1.2.0; found "^1.0.0"'],
    [{ essential: 'yes' }, '"essential" must be true or false; found "yes"'],
    [{ kinds: { ballot: 1000 } }, '"kinds.ballot" must be a whole number from 1 to 999; found 1000'],
    [{ kinds: { a: 7, b: 7 } }, '"kinds" gives the code 7 to more than one name'],
    [
      { contributes: { slots: [{ slot: 'aside', module: '../web/a.tsx' }] } },
      `"contributes.slots[0].module" must be a file inside the plugin's folder, written with / and without ..; found "../web/a.tsx"`,
    ],
    [{ contributes: { styles: ['/etc/passwd'] } }, /^"contributes.styles\[0\]" must be a file inside/],
    [{ contributes: { routes: [{ path: '/a', module: 'web/a.tsx' }] } }, '"contributes.routes[0].layout" is missing'],
    [{ csp: { 'script-src': ['https://x.example'] } }, /^A member of "csp" must be img-src, .*; found "script-src"$/],
    [{ csp: { 'img-src': ["x; script-src 'unsafe-inline'"] } }, /^"csp.img-src\[0\]" must be one source/],
    [{ settings: [{ name: 'a', type: 'slider', title: 't' }] }, /^"settings\[0\].type" must be one of input, .*; found "slider"$/],
    [{ build: { server: '../other/server.cjs' } }, /^"build.server" must be a file inside/],
  ])('says what is wrong with %j', (change, error) => {
    expect(errorsOf(change)).toEqual([typeof error === 'string' ? error : expect.stringMatching(error)])
  })

  it('may join every moment of the browser core, on its conditions', () => {
    const module = 'web/a.ts'
    const taps = [
      { hook: 'kernel.beforeNavigate', module, when: { path: '/posts/*' }, render: 'server', order: 10 },
      { hook: 'kernel.navigated', module },
      { hook: 'kernel.beforeRequest', module, when: { path: ['/answer/api/v1/a', '/answer/api/v1/b/*'], method: ['POST', 'PUT'] } },
      { hook: 'kernel.replied', module, when: { path: '*', status: [0, 403], reason: 'error.*', field: 'code' } },
      ...['sessionOpened', 'sessionRefreshed', 'sessionEnded', 'siteChanged', 'preferencesChanged'].map((name) => ({
        hook: `kernel.${name}`,
        module,
      })),
    ]
    const guards = [{ name: 'openToday', module }]
    expect(errorsOf({ contributes: { taps: taps.filter(({ when }) => when?.path !== '*'), guards } })).toEqual([])
    expect(errorsOf({ contributes: { taps } })).toEqual([])
  })

  const tapping = (tap: object) => ({ contributes: { taps: [{ module: 'web/a.ts', ...tap }] } })
  it.each([
    [
      { hook: 'kernel.beforeNavigat' },
      /^"contributes.taps\[0\].hook" must be one of kernel.beforeNavigate, .*; found "kernel.beforeNavigat"\. Did you mean kernel\.beforeNavigate\?$/,
    ],
    [{ hook: 'kernel.replied' }, '"contributes.taps[0].when" is missing'],
    [{ hook: 'kernel.beforeRequest' }, '"contributes.taps[0].when" is missing'],
    [{ hook: 'kernel.replied', when: {} }, /^"contributes.taps\[0\].when" must be an object with path, method, status, reason or field/],
    [
      { hook: 'kernel.beforeRequest', when: { path: '/a', status: 403 } },
      'A member of "contributes.taps[0].when" must be one of path or method; found "status"',
    ],
    [{ hook: 'kernel.navigated', when: { method: 'GET' } }, /^A member of "contributes.taps\[0\].when" must be path; found "method"$/],
    [{ hook: 'kernel.navigated', when: { path: '/a/*/b' } }, /^"contributes.taps\[0\].when.path" must be a path .* found "\/a\/\*\/b"$/],
    [{ hook: 'kernel.sessionOpened', when: { path: '/a' } }, /^"contributes.taps\[0\].when" must be left out for this hook/],
    [{ hook: 'kernel.replied', when: { status: 700 } }, /^"contributes.taps\[0\].when.status" must be a status from 0 to 599/],
    [{ hook: 'kernel.navigated', render: 'server' }, /^"contributes.taps\[0\].render" must be left out for this hook/],
  ])('says what is wrong with the tap %j', (tap, error) => {
    expect(errorsOf(tapping(tap))).toEqual([typeof error === 'string' ? error : expect.stringMatching(error)])
  })

  it('names guards without its slug, none twice and none like the kernel', () => {
    const named = (...names: string[]) => errorsOf({ contributes: { guards: names.map((name) => ({ name, module: 'web/a.ts' })) } })
    expect(named('loggedIn')).toEqual([expect.stringMatching(/^"contributes.guards\[0\].name" must be .*; found "loggedIn"$/)])
    expect(named('votes.open')).toEqual([expect.stringMatching(/found "votes.open"$/)])
    expect(named('open', 'open')).toEqual(['"contributes.guards" lists the name open more than once'])
  })

  it('for another sdk is refused', () => {
    expect(errorsOf({ sdk: '^99.0.0' })).toEqual([`"sdk" asks for ^99.0.0; this site has ${sdkVersion}`])
  })
})
