import { Link } from '@stoa/sdk/web'
import type { ReactNode } from 'react'
import styles from './rows.module.css'

interface RowsProps {
  /** Name of the list, where no heading says it. */
  label?: string
  /** One {@link LinkRow} for each. */
  children: ReactNode
}

/** Lines that lead somewhere, with hairlines between them. */
export function Rows({ label, children }: RowsProps) {
  return (
    <ul className={styles.rows} aria-label={label}>
      {children}
    </ul>
  )
}

interface LinkRowProps {
  to: string
  title: ReactNode
  /** A figure such as a `Count`, in a column of its own at the start. */
  figure?: ReactNode
  /** A passage; two lines of it are shown. */
  text?: ReactNode
  /** The same as HTML of the server, of which the words are shown. */
  html?: string
  /** One line of small facts: elements beside each other, such as chips and a `Time`. */
  children?: ReactNode
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

const wordsOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name] ?? '')
    .replace(/\s+/g, ' ')
    .trim()

/** One line: where it leads, a passage of it, facts about it. */
export function LinkRow({ to, title, figure, html, text = html && wordsOf(html), children }: LinkRowProps) {
  return (
    <li className={styles.row}>
      {figure !== undefined && <div className={styles.figure}>{figure}</div>}
      <div className={styles.words}>
        <Link to={to} data-stop="" dir="auto" className={styles.title}>
          {title}
        </Link>
        {text && (
          <p dir="auto" className={styles.text}>
            {text}
          </p>
        )}
        {children && <div className={styles.facts}>{children}</div>}
      </div>
    </li>
  )
}
