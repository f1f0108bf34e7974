import type { CurrentPerson, SiteState } from '@stoa/sdk/web'
import { guard } from '@stoa/sdk/web'
import { describe, expect, it } from 'vitest'
import schema from '../../sdk/shared/manifest.schema.json' with { type: 'json' }
import type { PluginGuards } from '../kernel/guards.ts'
import { checkGuards } from '../kernel/guards.ts'
import type { Route } from '../kernel/registry.ts'
import { deriveLogin } from '../kernel/session.ts'

const person = (values: Partial<CurrentPerson>): CurrentPerson => ({
  id: '1',
  username: 'a',
  display_name: 'A',
  avatar: '',
  rank: 1,
  role_id: 1,
  status: 'normal',
  mail_status: 1,
  language: 'Default',
  color_scheme: 'default',
  ...values,
})
const people = {
  unknown: deriveLogin({ person: null, known: false }),
  visitor: deriveLogin({ person: null, known: true }),
  member: deriveLogin({ person: person({}), known: true }),
  inactive: deriveLogin({ person: person({ mail_status: 2 }), known: true }),
  suspended: deriveLogin({ person: person({ status: 'suspended' }), known: true }),
  admin: deriveLogin({ person: person({ role_id: 2 }), known: true }),
  moderator: deriveLogin({ person: person({ role_id: 3 }), known: true }),
}
type Who = keyof typeof people

function verdict(guard: string | string[], who: Who, site: SiteState = {}, layout: Route['layout'] = 'main'): string {
  const route: Route = { slug: 'a', generation: '', path: '/', module: '', layout, guards: [guard].flat(), onServer: true, title: '' }
  const result = checkGuards(route, people[who], site)
  return typeof result === 'string' ? result : 'place' in result ? `to ${result.place}` : String(result.status)
}

const table: [guard: string, Record<Who, string>][] = [
  [
    'loggedIn',
    { unknown: 'wait', visitor: 'to login', member: 'pass', inactive: 'pass', suspended: 'pass', admin: 'pass', moderator: 'pass' },
  ],
  [
    'loggedOut',
    {
      unknown: 'pass',
      visitor: 'pass',
      member: 'to home',
      inactive: 'to inactive',
      suspended: 'to home',
      admin: 'to home',
      moderator: 'to home',
    },
  ],
  [
    'activated',
    {
      unknown: 'wait',
      visitor: 'to login',
      member: 'pass',
      inactive: 'to inactive',
      suspended: 'to suspended',
      admin: 'pass',
      moderator: 'pass',
    },
  ],
  [
    'notActivated',
    { unknown: 'pass', visitor: 'pass', member: 'to home', inactive: 'pass', suspended: 'to home', admin: 'to home', moderator: 'to home' },
  ],
  [
    'notForbidden',
    { unknown: 'pass', visitor: 'pass', member: 'pass', inactive: 'pass', suspended: 'to suspended', admin: 'pass', moderator: 'pass' },
  ],
  [
    'suspended',
    {
      unknown: 'wait',
      visitor: 'to home',
      member: 'to home',
      inactive: 'to home',
      suspended: 'pass',
      admin: 'to home',
      moderator: 'to home',
    },
  ],
  ['admin', { unknown: 'wait', visitor: '403', member: '403', inactive: '403', suspended: '403', admin: 'pass', moderator: '403' }],
  ['staff', { unknown: 'wait', visitor: '403', member: '403', inactive: '403', suspended: '403', admin: 'pass', moderator: 'pass' }],
]

describe('guards', () => {
  it.each(table)('%s', (guard, expected) => {
    for (const who of Object.keys(expected) as Who[]) expect(`${who}: ${verdict(guard, who)}`).toBe(`${who}: ${expected[who]}`)
  })

  describe('of a plugin', () => {
    const entry = { id: 'a/web/open.ts', slug: 'a', generation: '1', module: 'web/open.ts' }
    const verdictOf = (there: ReturnType<PluginGuards['peek']>, who: Who = 'visitor') => {
      const route: Route = {
        slug: 'b',
        generation: '',
        path: '/',
        module: '',
        layout: 'main',
        guards: ['a.open'],
        onServer: true,
        title: '',
      }
      return checkGuards(route, people[who], {}, { find: () => ({ entry, name: 'a.open' }), peek: () => there }, '/here')
    }

    it('decides by who asks, by the site and by the address', () => {
      const open = guard(({ login, pathname }) => (login.isStaff && pathname === '/here' ? 'pass' : { place: 'home' }))
      expect(verdictOf({ guard: open })).toEqual({ place: 'home' })
      expect(verdictOf({ guard: open }, 'admin')).toBe('pass')
    })

    it('is waited for while its code is on the way', () => {
      expect(verdictOf(undefined)).toBe('wait')
    })

    it('that fails, that is none, and that says nothing sensible lets nobody pass and is named', () => {
      const fails = guard(() => {
        throw new Error('broken')
      })
      const silent = { kind: 'guard', check: () => undefined }
      for (const wrong of [{ error: new Error('no chunk') }, { guard: fails }, { guard: () => 'pass' }, { guard: silent }])
        expect(verdictOf(wrong)).toMatchObject({ status: 500, slug: 'a', guard: 'a.open', error: expect.any(Error) })
    })
  })

  it('have names that no plugin may give its own', () => {
    const reserved = schema.definitions.guard.properties.name.not.enum
    expect(table.map(([name]) => name).sort()).toEqual([...reserved].sort())
  })

  it('run in order, and a name nobody knows refuses', () => {
    expect(verdict(['loggedIn', 'admin'], 'visitor')).toBe('to login')
    expect(verdict('somethingElse', 'admin')).toBe('403')
  })

  it('a private site sends visitors to the login, except from the plain pages that lead there', () => {
    const closed: SiteState = {
      login: { login_required: true, allow_new_registrations: true, allow_email_registrations: true, allow_password_login: true },
    }
    expect(verdict([], 'unknown', closed)).toBe('wait')
    expect(verdict([], 'visitor', closed)).toBe('to login')
    expect(verdict([], 'member', closed)).toBe('pass')
    expect(verdict([], 'visitor', closed, 'plain')).toBe('pass')
  })
})
