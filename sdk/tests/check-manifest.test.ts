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

  it('for another sdk is refused', () => {
    expect(errorsOf({ sdk: '^99.0.0' })).toEqual([`"sdk" asks for ^99.0.0; this site has ${sdkVersion}`])
  })
})
