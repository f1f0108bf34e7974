import { kernelSlots, Slot, useLocation } from '@stoa/sdk/web'
import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import type { PageMap } from '../../sdk/pages/page-state.ts'
import { appearanceOf, ownHtml } from '../../sdk/pages/site-facts.ts'
import { offlineAtom } from '../kernel/connection.ts'
import { useCore, useShared, useValue } from '../kernel/core.ts'
import { errorAtom } from '../kernel/feedback.ts'
import { mapAtom, matchPage } from '../kernel/registry.ts'
import { useComing } from '../router/coming.ts'
import { Outlet } from '../router/outlet.tsx'
import { usePending } from '../router/router.tsx'
import { Confirms } from './confirms.tsx'
import { Footer } from './footer.tsx'
import styles from './frame.module.css'
import { Header } from './header.tsx'
import { useKeyboard } from './keyboard.tsx'
import { SideNavigation } from './side-navigation.tsx'
import { TapDialogs } from './tap-dialogs.tsx'
import { Toasts } from './toasts.tsx'

const TopButton = lazy(() => import('./top-button.tsx'))

/** Header, columns and footer stand while pages come and go; the route's layout says which columns there are. */
export function Frame() {
  const core = useCore()
  const map = useShared(mapAtom) as PageMap
  const error = useValue(errorAtom)
  const { pathname } = useLocation()
  const { sentForm, useText } = core.kernel
  const t = useText('core')
  const [drawer, setDrawer] = useState(false)
  const closeDrawer = useCallback(() => setDrawer(false), [])
  const shortcuts = useKeyboard()
  const Coming = useComing()
  const layout = matchPage(map, pathname)?.route.layout ?? 'main'
  useEffect(() => setDrawer(false), [pathname])
  const site = core.kernel.useSite()
  const own = ownHtml(layout === 'admin' ? {} : site)
  const navigation = layout === 'admin' ? 'admin' : 'side'
  return (
    <div className={styles.page} data-layout={layout}>
      <a className={styles.skip} href="#content">
        {t('frame.skip')}
      </a>
      <Progress />
      <Header quiet={layout === 'plain'} drawer={drawer} onDrawer={setDrawer} />
      <Own html={own.header} />
      <div className={styles.columns}>
        {layout !== 'plain' && (
          <SideNavigation
            key={navigation}
            place={navigation}
            column={layout === 'side' || layout === 'admin'}
            open={drawer}
            onClose={closeDrawer}
          />
        )}
        <main key="main" id="content" tabIndex={-1} className={styles.main} data-coming={Coming ? '' : undefined}>
          {sentForm && (
            <p className={styles.told} role="alert">
              {sentForm.message}
            </p>
          )}
          <Outlet />
          {Coming && (
            <div className={styles.coming}>
              <Coming />
            </div>
          )}
        </main>
        {layout === 'side' && !error && (
          <aside key="aside" className={styles.aside} aria-label={t('frame.aside')}>
            <Slot of={kernelSlots.aside} props={{ path: pathname }} />
            <Own html={own.aside} />
          </aside>
        )}
      </div>
      <Own html={own.footer} />
      <Footer />
      <BackToTop />
      <Toasts />
      <Confirms />
      <TapDialogs />
      {shortcuts}
    </div>
  )
}

/** What the owner has written into every page; the plugin that sends it has cleaned it. */
function Own({ html }: { html: string }) {
  return html && <div className={styles.own} dangerouslySetInnerHTML={{ __html: html }} />
}

/** On pages that are several windows long; what draws it is fetched when somebody gets so far. */
function BackToTop() {
  const [isFar, setFar] = useState(false)
  useEffect(() => {
    const look = () => setFar(scrollY > 2 * innerHeight)
    addEventListener('scroll', look, { passive: true })
    return () => removeEventListener('scroll', look)
  }, [])
  return (
    isFar && (
      <Suspense fallback={null}>
        <TopButton />
      </Suspense>
    )
  )
}

/** Shown while the next page is on its way, after a moment: quick ones do not flicker. */
function Progress() {
  const pending = usePending()
  const isOffline = useValue(offlineAtom)
  const { kernel } = useCore()
  const t = kernel.useText('core')
  const { header } = appearanceOf(kernel.useSite())
  if (isOffline)
    return (
      <p className={styles.offline} role="status">
        {t('frame.offline')}
      </p>
    )
  return (
    <div className={styles.progress} data-navbar={header} data-on={pending || undefined} role="status" aria-live="polite">
      {pending && <span className="visually-hidden">{t('frame.loading')}</span>}
    </div>
  )
}
