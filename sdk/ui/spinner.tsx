import styles from './spinner.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'

/** Something is going on. With a label it is announced; without, it is decoration beside text that says so. */
export function Spinner({ label, size = 16 }: { label?: string; size?: 16 | 20 | 32 }) {
  const drawing = (
    <svg className={styles.spinner} width={size} height={size} viewBox="0 0 16 16" fill="none" aria-hidden="true">
      <circle cx="8" cy="8" r="6.5" stroke="currentColor" strokeOpacity="0.25" strokeWidth="2" />
      <path d="M14.5 8A6.5 6.5 0 0 0 8 1.5" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    </svg>
  )
  if (label === undefined) return drawing
  return (
    <span role="status" className={styles.box}>
      {drawing}
      <VisuallyHidden>{label}</VisuallyHidden>
    </span>
  )
}
