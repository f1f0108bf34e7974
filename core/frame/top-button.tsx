import { Icon } from '@stoa/sdk/ui/icon'
import { useCore } from '../kernel/core.ts'
import styles from './top-button.module.css'

/** Back to the top of a long page, for eyes and for the keyboard. */
export default function TopButton() {
  const t = useCore().kernel.useText('core')
  const go = () => {
    document.getElementById('content')?.focus({ preventScroll: true })
    scrollTo(0, 0)
  }
  return (
    <button type="button" className={styles.top} onClick={go}>
      <Icon name="chevron-up" size={20} />
      <span className="visually-hidden">{t('frame.top')}</span>
    </button>
  )
}
