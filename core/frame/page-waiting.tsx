import { Skeleton } from '@stoa/sdk/ui/skeleton'
import { VisuallyHidden } from '@stoa/sdk/ui/visually-hidden'
import { useCore } from '../kernel/core.ts'
import styles from './frame.module.css'

/** The shape of a page that is on its way; the kit shows it after 150 ms. */
export function PageWaiting() {
  const t = useCore().kernel.useText('core')
  return (
    <div className={styles.waiting} role="status">
      <VisuallyHidden>{t('frame.loading')}</VisuallyHidden>
      <Skeleton shape="title" />
      <Skeleton lines={6} />
    </div>
  )
}
