import { PageTitle } from '@stoa/sdk/ui/page'
import type { ReactNode } from 'react'
import styles from './auth-frame.module.css'

/** Narrow column of the pages before and beside the site: a title, a sentence, a form, a way out. */
export function AuthFrame({
  title,
  lead,
  children,
  footer,
}: {
  title: string
  lead?: ReactNode
  children?: ReactNode
  footer?: ReactNode
}) {
  return (
    <div className={styles.frame}>
      <PageTitle text={lead}>{title}</PageTitle>
      {children}
      {footer && <div className={styles.footer}>{footer}</div>}
    </div>
  )
}

/** Fields one under another. */
export const formClass = styles.form
/** What takes the place and the room of a form that is not needed after all, before that form. */
export const inPlaceClass = styles.inPlace
/** A line under a form. */
export const smallClass = styles.small
