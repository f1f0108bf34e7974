import { Icon } from '@stoa/sdk/ui/icon'
import { useText } from '@stoa/sdk/web'
import { minutesToRead } from './minutes.ts'
import styles from './reading-time.module.css'

/** In the slot `experiences.footer`, whose owner hands over the post. Rendered on the server as well. */
export default function ReadingTime({ detail }: { detail: { html: string } }) {
  const t = useText('reading-time')
  return (
    <p className={styles.line}>
      <Icon name="clock" size={14} /> {t('minutes', { count: minutesToRead(detail.html) })}
    </p>
  )
}
