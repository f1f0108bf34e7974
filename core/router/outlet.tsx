import { ParamsContext, useKernel } from '@stoa/sdk/kernel/web'
import type { PageModule, PageProps, Verdict } from '@stoa/sdk/web'
import { useLocation, useParams } from '@stoa/sdk/web'
import { Suspense, startTransition, useEffect, useMemo, useReducer, useRef } from 'react'
import { useRoutes } from 'react-router-dom'
import type { PageMap } from '../../sdk/pages/page-state.ts'
import { moduleId, statusOf } from '../../sdk/pages/page-state.ts'
import { ErrorPage } from '../frame/error-page.tsx'
import { PageWaiting } from '../frame/page-waiting.tsx'
import { siteAtom, useCore, useShared, useValue } from '../kernel/core.ts'
import { errorAtom } from '../kernel/feedback.ts'
import type { FailedGuard } from '../kernel/guards.ts'
import { checkGuards } from '../kernel/guards.ts'
import type { Loaded } from '../kernel/loader.ts'
import type { PageResource } from '../kernel/pages.ts'
import type { Route } from '../kernel/registry.ts'
import { mapAtom, matchPage } from '../kernel/registry.ts'
import { waitWhile } from '../kernel/wait-while.ts'
import { Contribution, componentOf, FAILED_MARK } from './contribution.tsx'
import { applyHead } from './head.ts'
import { useHydrated } from './hydrated.ts'

/** The page of the address, from what is on: one that goes while it is open says so at once, everything else keeps its state. */
export function Outlet() {
  const map = useShared(mapAtom) as PageMap
  const core = useCore()
  const { pathname } = useLocation()
  const error = useValue(errorAtom)
  // Which route it is, is known; the library is left to say what of the address its parameters are.
  const routes = useMemo(() => {
    const route = matchPage(map, pathname)?.route
    return route ? [{ path: route.path, element: <RoutedPage route={route} /> }] : []
  }, [map, pathname])
  const matched = useRoutes(routes)
  // What it draws follows from the routes alone: with the same ones, the page below is not drawn again.
  const page = useMemo(() => matched, [routes])
  const opened = useRef<string>(undefined)
  useEffect(() => {
    if (matched) opened.current = pathname
  })
  if (error) return <ErrorPage {...error} />
  // One boundary that stays: a transition keeps what is inside until the next page is complete. Boundaries that come with a page would not.
  return (
    <Suspense fallback={core.isServer ? <i {...{ [FAILED_MARK]: idAt(map, pathname) }} /> : <PageWaiting />}>
      {page ?? <ErrorPage status={statusOf(pathname)} isOff={opened.current === pathname} />}
    </Suspense>
  )
}

function idAt(map: PageMap, pathname: string): string {
  const match = matchPage(map, pathname)
  return match ? moduleId(match.route.slug, match.route.module) : ''
}

function RoutedPage({ route }: { route: Route }) {
  const { pathname } = useLocation()
  return (
    <ParamsContext value={useParams() as Record<string, string>}>
      <GuardedPage key={`${route.slug}${pathname}`} route={route} />
    </ParamsContext>
  )
}

function GuardedPage({ route }: { route: Route }) {
  const core = useCore()
  const login = useKernel().useLogin()
  const site = useShared(siteAtom)
  const { pathname } = useLocation()
  const [, tryAgain] = useReducer((count: number) => count + 1, 0)
  for (const { id, slug, module } of core.guards.modules(route)) core.used.set(id, [slug, module])
  waitWhile(() => core.guards.ready(route))
  const verdict = checkGuards(route, login, site, core.guards, pathname)
  const retry = () => {
    core.guards.tryAgain()
    tryAgain()
  }
  if (typeof verdict === 'object' && 'guard' in verdict) return <FailedGuardPage failed={verdict} retry={retry} />
  if (verdict === 'wait') return <PageWaiting />
  if (verdict !== 'pass') return <Refused verdict={verdict} />
  return <Page route={route} />
}

/** A guard that fails lets nobody pass, and says whose it is. */
function FailedGuardPage({ failed: { slug, guard, error }, retry }: { failed: FailedGuard; retry(): void }) {
  const core = useCore()
  const t = core.kernel.useText('core')
  useEffect(() => {
    console.error(`The guard ${guard} failed`, error)
    core.faults.charge(slug, error)
    // Each render of a guard that throws has another error.
  }, [core, slug, guard])
  return <ErrorPage status={500} message={t('error.guard', { guard, slug })} retry={retry} />
}

function Refused({ verdict }: { verdict: Exclude<Verdict, string> }) {
  const core = useCore()
  const place = 'place' in verdict ? verdict.place : undefined
  const remember = 'place' in verdict && verdict.remember === true
  const { key } = useLocation()
  useEffect(() => {
    // Somebody may be on the way elsewhere already, such as back to where they wanted to go before they logged in.
    if (place === undefined || core.history.location.key !== key) return
    const { pathname, search, hash } = core.history.location
    if (remember) core.session.rememberAddress(pathname + search + hash)
    core.goPlace(place, true)
  }, [core, place, remember, key])
  return place === undefined ? <ErrorPage status={403} /> : <PageWaiting />
}

function Page({ route }: { route: Route }) {
  return (
    <Contribution
      slug={route.slug}
      generation={route.generation}
      module={route.module}
      onServer={route.onServer}
      suspends
      waiting={<PageWaiting />}
      instead={(error, retry) => <ErrorPage status={500} message={messageOf(error)} retry={retry} />}
      render={(module) => <PageContent route={route} module={module} />}
    />
  )
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function PageContent({ route, module }: { route: Route; module: Loaded }) {
  const core = useCore()
  const location = useLocation()
  const params = useParams() as Record<string, string>
  const resource = core.pages.open(location, route, params)
  waitWhile(() => (resource.settled ? undefined : resource.ready))
  if (resource.broken !== undefined) throw resource.broken
  return <LoadedPage route={route} module={module} resource={resource} params={params} />
}

function LoadedPage({
  route,
  module,
  resource,
  params,
}: {
  route: Route
  module: Loaded
  resource: PageResource
  params: Record<string, string>
}) {
  const core = useCore()
  const present = useValue(resource.content)
  const content = useHydrated() ? present : (resource.rendered ?? present)
  const site = useShared(siteAtom)
  const t = core.kernel.useText(route.slug)
  const { redirect } = resource
  const { key } = useLocation()
  const failure = content?.failure
  const page = module as unknown as PageModule
  useEffect(() => {
    if (redirect !== undefined && core.history.location.key === key) startTransition(() => core.history.replace(redirect))
  }, [core, redirect, key])
  useEffect(() => {
    if (redirect === undefined && content && !failure)
      applyHead({ title: route.title, ...page.head?.(content.data, { t, site, params }) }, site)
  }, [content, failure, redirect, page, route, t, site, params])
  const { reload } = resource
  const data = content?.data
  // Coming to life alone changes nothing in the page.
  const shown = useMemo(() => {
    const Component = componentOf<PageProps>(module)
    return <Component data={data} params={params} reload={reload} />
  }, [module, data, params, reload])
  if (redirect !== undefined) return <PageWaiting />
  if (failure) return <ErrorPage {...failure} retry={() => void reload()} />
  return shown
}
