import { Skeleton } from '@stoa/sdk/ui/skeleton'
import { VisuallyHidden } from '@stoa/sdk/ui/visually-hidden'
import { useCore } from '../kernel/core.ts'
import styles from './frame.module.css'

/** The shape of a page that is on its way; the kit shows it after 150 ms. Without scripts it never comes, and that is said. */
export function PageWaiting() {
  const t = useCore().kernel.useText('core')
  return (
    <>
      <noscript>
        <h1>{t('frame.scripts')}</h1>
        <p>{t('frame.scripts_text')}</p>
      </noscript>
      <div className={styles.waiting} role="status">
        <VisuallyHidden>{t('frame.loading')}</VisuallyHidden>
        <Skeleton shape="title" />
        <Skeleton lines={6} />
      </div>
    </>
  )
}
