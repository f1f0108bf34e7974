import { useText } from '@stoa/sdk/web'
import type { ReactNode } from 'react'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import type { IconName } from './icon.tsx'
import { Icon } from './icon.tsx'
import styles from './notice.module.css'

export interface NoticeProps {
  tone?: 'info' | 'success' | 'warning' | 'danger'
  title?: ReactNode
  children?: ReactNode
  /** A button or link. */
  action?: ReactNode
  onClose?(): void
  /** It appeared because of what the person did: screen readers say it. */
  live?: boolean
}

const icons: Record<string, IconName> = { info: 'info', success: 'check-circle', warning: 'alert', danger: 'alert' }

/** A message that stays in its place in the page. */
export function Notice({ tone = 'info', title, children, action, onClose, live }: NoticeProps) {
  const t = useText('core')
  return (
    <div className={classNames(styles.notice, styles[tone])} role={live ? (tone === 'danger' ? 'alert' : 'status') : undefined}>
      <Icon name={icons[tone] as IconName} size={18} />
      <div className={styles.words}>
        {title && <p className={styles.title}>{title}</p>}
        {children}
        {action && <div className={styles.action}>{action}</div>}
      </div>
      {onClose && <IconButton icon="x" size="small" label={t('kit.close')} onClick={onClose} />}
    </div>
  )
}
