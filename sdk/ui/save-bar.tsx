import { useText } from '@stoa/sdk/web'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import styles from './save-bar.module.css'

interface SaveBarProps {
  /** Number of changes; at 0 there is no bar. */
  changes: number
  busy?: boolean
  /** Why it could not be saved, beside the button. */
  error?: ReactNode
  /** What the changes are: unfolds under their number. */
  details?: ReactNode
  onDiscard(): void
  /** Left out: the bar's button submits the form it stands in. */
  onSave?(): void
}

/** `2 changes · Discard · Save`, at the foot of the window while something is unsaved. */
export function SaveBar({ changes, busy, error, details, onDiscard, onSave }: SaveBarProps) {
  const t = useText('core')
  if (changes === 0) return null
  return (
    <section className={styles.bar} aria-label={t('kit.unsaved')}>
      {details && !error ? (
        <details className={styles.details}>
          <summary>
            <span role="status">{t('kit.changes', { count: changes })}</span>
          </summary>
          {details}
        </details>
      ) : (
        <p className={error ? styles.error : undefined} role={error ? 'alert' : 'status'}>
          {error || t('kit.changes', { count: changes })}
        </p>
      )}
      <Button variant="quiet" disabled={busy} onClick={onDiscard}>
        {t('kit.discard')}
      </Button>
      <Button variant="primary" busy={busy} type={onSave ? 'button' : 'submit'} onClick={onSave}>
        {t('kit.save')}
      </Button>
    </section>
  )
}
