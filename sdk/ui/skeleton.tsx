import { useText } from '@stoa/sdk/web'
import { classNames } from './class-names.ts'
import styles from './skeleton.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'

interface SkeletonProps {
  shape?: 'text' | 'title' | 'avatar' | 'button' | 'small' | 'block'
  /** Of text. */
  lines?: number
  className?: string
}

/** The shape of what is coming; visible after 150 ms. Decoration: say once beside it that something loads. */
export function Skeleton({ shape = 'text', lines = 1, className }: SkeletonProps) {
  if (shape !== 'text' || lines === 1)
    return <span aria-hidden="true" data-bone className={classNames(styles.bone, styles[shape], className)} />
  return (
    <span aria-hidden="true" data-bone className={classNames(styles.lines, className)}>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} className={classNames(styles.bone, styles.text)} />
      ))}
    </span>
  )
}

/** Rows of a list on their way: title, text, a line about it. */
export function SkeletonRows({ rows = 5 }: { rows?: number }) {
  const t = useText('core')
  return (
    <div role="status" className={styles.rows}>
      <VisuallyHidden>{t('kit.loading')}</VisuallyHidden>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className={styles.row}>
          <Skeleton shape="title" />
          <Skeleton lines={2} />
        </div>
      ))}
    </div>
  )
}
