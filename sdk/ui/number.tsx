import { formatCount } from '@stoa/sdk/web'
import { classNames } from './class-names.ts'
import styles from './number.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'

const allDigits = new Intl.NumberFormat('en-US')

interface CountProps {
  value: unknown
  /** What is counted, for screen readers: `12` becomes `12 views`. */
  label?: string
  className?: string
}

/** A number in its short form (12.3k); the exact one shows on hover. Figures have one width. */
export function Count({ value, label, className }: CountProps) {
  const short = formatCount(value)
  const exact = Number.isFinite(Number(value)) ? allDigits.format(Number(value)) : short
  return (
    <span className={classNames(styles.count, className)} title={exact === short ? undefined : exact}>
      {short}
      {label !== undefined && <VisuallyHidden> {label}</VisuallyHidden>}
    </span>
  )
}
