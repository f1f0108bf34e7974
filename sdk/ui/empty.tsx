import type { ReactNode } from 'react'
import styles from './empty.module.css'
import type { IconName } from './icon.tsx'
import { Icon } from './icon.tsx'

interface EmptyStateProps {
  icon?: IconName
  /** What is not here. */
  title: ReactNode
  /** What this place is for. */
  text?: ReactNode
  /** The one thing to do about it: a button or a link. */
  action?: ReactNode
  /** Level of the heading in the page; default 2. */
  level?: 2 | 3
}

/** A place without content yet. */
export function EmptyState({ icon = 'inbox', title, text, action, level = 2 }: EmptyStateProps) {
  const Heading = `h${level}` as const
  return (
    <div className={styles.empty}>
      <Icon name={icon} size={32} />
      <Heading className={styles.title}>{title}</Heading>
      {text && <p className={styles.text}>{text}</p>}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  )
}
