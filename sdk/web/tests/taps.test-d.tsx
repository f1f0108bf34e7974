/** What taps and guards of the browser let through, and what not: checked by `npm run check`, never run. */
import { bail } from '@stoa/sdk'
import type { Asking, CurrentPerson, Exchange, Login, Move, Preferences, SiteState } from '@stoa/sdk/web'
import { guard, tap, useTap, webHooks } from '@stoa/sdk/web'
import { expectTypeOf } from 'vitest'

// Each hook hands over what it is about.
tap(webHooks.beforeNavigate, ({ to, how }) => {
  expectTypeOf(to.pathname).toEqualTypeOf<string>()
  expectTypeOf(how).toEqualTypeOf<Move['how']>()
  return to.pathname === '/a' ? 'hold' : { redirect: '/b' }
})
tap(webHooks.navigated, ({ from }) => void from?.search)
tap(webHooks.beforeRequest, (call) => ({ ...call, headers: { ...call.headers, 'X-Device': 'a' } }))
tap(webHooks.replied, ({ status, fields }) => (status === 403 ? { fields: { code: fields.code } } : undefined))
tap(webHooks.sessionOpened, ({ login, how }) => {
  expectTypeOf(login).toEqualTypeOf<Login>()
  expectTypeOf(how).toEqualTypeOf<'login' | 'found'>()
})
tap(webHooks.sessionRefreshed, ({ login }) => void login.person)
tap(webHooks.sessionEnded, ({ person }) => {
  expectTypeOf(person).toEqualTypeOf<CurrentPerson>()
})
tap(webHooks.siteChanged, ({ now, before }) => {
  expectTypeOf([now, before]).toEqualTypeOf<SiteState[]>()
})
tap(webHooks.preferencesChanged, ({ now, chosen }) => {
  expectTypeOf(now).toEqualTypeOf<Preferences>()
  expectTypeOf(chosen?.scheme).toEqualTypeOf<string | undefined>()
})

// No opinion is one too; a promise is as good as what it holds.
tap(webHooks.beforeNavigate, () => {})
tap(webHooks.replied, async () => undefined)

// @ts-expect-error nobody stays in that way
tap(webHooks.beforeNavigate, () => 'stay')
// @ts-expect-error an address is text
tap(webHooks.beforeNavigate, () => ({ redirect: 7 }))
// @ts-expect-error a tap that adds to a call returns the call
tap(webHooks.beforeRequest, () => ({ headers: {} }))
tap(webHooks.beforeRequest, (call) => {
  // @ts-expect-error where a call goes is not for taps to say
  call.path = '/elsewhere'
})
// @ts-expect-error headers are text
tap(webHooks.replied, () => ({ headers: { 'X-Attempt': 2 } }))
// @ts-expect-error a repeat has no other address
tap(webHooks.replied, () => ({ path: '/elsewhere' }))
// @ts-expect-error a reply has no title
tap(webHooks.replied, ({ title }) => void title)
// @ts-expect-error the token of the session is not handed over
tap(webHooks.sessionOpened, ({ token }) => void token)
// @ts-expect-error hooks of plugins run on the server
tap(bail<(n: number) => boolean>('library.mayLend'), () => true)

// A dialog says what it takes and what it answers with.
declare const codeDialog: () => Promise<{ default: (props: { problem: string } & Asking<{ code: string }>) => null }>
tap(webHooks.replied, async (_, { ask, confirm, session, api, signal, t, toast, slug }) => {
  const solved = await ask(codeDialog, { problem: '' })
  expectTypeOf(solved).toEqualTypeOf<{ code: string } | undefined>()
  // @ts-expect-error the dialog wants to know the problem
  await ask(codeDialog, {})
  // @ts-expect-error and knows no title
  await ask(codeDialog, { problem: '', title: 'x' })
  // @ts-expect-error what shows nothing is no dialog
  await ask(async () => ({ default: 7 }), {})
  expectTypeOf(confirm({ title: t('sure') })).resolves.toEqualTypeOf<boolean>()
  await session.open('token')
  await api.get('later')
  signal.throwIfAborted()
  toast({ text: slug, tone: 'info' })
  return solved && { fields: { ...solved } }
})
// @ts-expect-error an answer of another shape lays nothing over the call
tap(webHooks.replied, async (_, { ask }) => (await ask(codeDialog, { problem: '' })) && { fields: 'code' })

// Guards answer at once, with a place, a refusal or nothing against it.
guard(({ site, login, pathname }) => {
  if (site.login?.allow_new_registrations === false) return { place: 'home' }
  return login.isStaff || pathname === '/open' ? 'pass' : { status: 403 }
})
// @ts-expect-error nobody waits for a guard
guard(async () => 'pass')
// @ts-expect-error true is no verdict
guard(() => true)
// @ts-expect-error other errors are not a guard's
guard(() => ({ status: 404 }))
// @ts-expect-error a guard that says nothing has not decided
guard(() => {})

export function Mounted({ busy }: { busy: boolean }) {
  useTap(webHooks.beforeNavigate, busy ? () => 'hold' : null)
  useTap(webHooks.replied, (exchange: Exchange) => void exchange.attempt)
  // @ts-expect-error a tap of another hook
  useTap(webHooks.navigated, (exchange: Exchange) => void exchange.attempt)
  return null
}
