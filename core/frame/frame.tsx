import { kernelSlots, Slot, useLocation } from '@stoa/sdk/web'
import { useAtomValue } from 'jotai'
import { useEffect, useState } from 'react'
import type { PageMap } from '../../sdk/pages/page-state.ts'
import { useCore, useShared } from '../kernel/core.ts'
import { errorAtom } from '../kernel/feedback.ts'
import { mapAtom, matchPage } from '../kernel/registry.ts'
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

/** Header, columns and footer stand while pages come and go; the route's layout says which columns there are. */
export function Frame() {
  const core = useCore()
  const map = useShared(mapAtom) as PageMap
  const error = useAtomValue(errorAtom)
  const { pathname } = useLocation()
  const t = core.kernel.useText('core')
  const [drawer, setDrawer] = useState(false)
  const shortcuts = useKeyboard()
  const layout = matchPage(map, pathname)?.route.layout ?? 'main'
  useEffect(() => setDrawer(false), [pathname])
  const navigation = layout === 'admin' ? 'admin' : 'side'
  return (
    <div className={styles.page} data-layout={layout}>
      <a className={styles.skip} href="#content">
        {t('frame.skip')}
      </a>
      <Progress />
      <Header quiet={layout === 'plain'} drawer={drawer} onDrawer={setDrawer} />
      <div className={styles.columns}>
        {layout !== 'plain' && (
          <SideNavigation
            key={navigation}
            place={navigation}
            column={layout === 'side' || layout === 'admin'}
            open={drawer}
            onClose={() => setDrawer(false)}
          />
        )}
        <main key="main" id="content" tabIndex={-1} className={styles.main}>
          <Outlet />
        </main>
        {layout === 'side' && !error && (
          <aside key="aside" className={styles.aside} aria-label={t('frame.aside')}>
            <Slot of={kernelSlots.aside} props={{ path: pathname }} />
          </aside>
        )}
      </div>
      <Footer />
      <Toasts />
      <Confirms />
      <TapDialogs />
      {shortcuts}
    </div>
  )
}

/** Shown while the next page is on its way, after a moment: quick ones do not flicker. */
function Progress() {
  const pending = usePending()
  const t = useCore().kernel.useText('core')
  return (
    <div className={styles.progress} data-on={pending || undefined} role="status" aria-live="polite">
      {pending && <span className="visually-hidden">{t('frame.loading')}</span>}
    </div>
  )
}
