import { useId } from 'react'
import styles from './progress.module.css'

interface ProgressProps {
  label: string
  /** 0 to 1; leave out while nobody knows. */
  value?: number
  /** In words, such as `3 of 12`; default the percentage. */
  text?: string
}

/** How far something is that takes longer than two seconds. */
export function Progress({ label, value, text }: ProgressProps) {
  const id = useId()
  const share = value === undefined ? undefined : Math.min(1, Math.max(0, value))
  return (
    <div className={styles.progress}>
      <div className={styles.words}>
        <label htmlFor={id}>{label}</label>
        {(text ?? share) !== undefined && <span>{text ?? `${Math.round((share ?? 0) * 100)}%`}</span>}
      </div>
      <progress id={id} className={styles.bar} value={share} max={1} />
    </div>
  )
}
