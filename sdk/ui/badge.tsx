import type { ReactNode } from 'react'
import styles from './badge.module.css'
import { classNames } from './class-names.ts'
import type { IconName } from './icon.tsx'
import { Icon } from './icon.tsx'

export interface BadgeProps {
  tone?: 'neutral' | 'accent' | 'success' | 'warning' | 'danger'
  icon?: IconName
  children: ReactNode
  className?: string
}

/** A state in a word: accepted, pending, off. */
export function Badge({ tone = 'neutral', icon, children, className }: BadgeProps) {
  return (
    <span className={classNames(styles.badge, styles[tone], className)}>
      {icon && <Icon name={icon} size={14} />}
      {children}
    </span>
  )
}
