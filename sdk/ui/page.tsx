import type { ElementType, ReactNode } from 'react'
import { useId } from 'react'
import { classNames } from './class-names.ts'
import styles from './page.module.css'

interface PageTitleProps {
  /** The page's only first-level heading. */
  children: ReactNode
  /** One sentence of purpose under it. */
  text?: ReactNode
  /** Buttons at the end of the line. */
  actions?: ReactNode
}

/** Head of a page. */
export function PageTitle({ children, text, actions }: PageTitleProps) {
  return (
    <div className={styles.pageTitle}>
      <div className={styles.words}>
        <h1 dir="auto">{children}</h1>
        {text && <p>{text}</p>}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  )
}

interface SectionProps {
  title?: ReactNode
  text?: ReactNode
  actions?: ReactNode
  /** Level of the heading; default 2. */
  level?: 2 | 3
  id?: string
  children?: ReactNode
  className?: string
}

/** A part of a page with its heading. */
export function Section({ title, text, actions, level = 2, id, children, className }: SectionProps) {
  const titleId = useId()
  const Heading = `h${level}` as const
  return (
    <section id={id} className={classNames(styles.section, className)} aria-labelledby={title ? titleId : undefined}>
      {(title || actions) && (
        <div className={styles.head}>
          <div className={styles.words}>
            {title && <Heading id={titleId}>{title}</Heading>}
            {text && <p>{text}</p>}
          </div>
          {actions && <div className={styles.actions}>{actions}</div>}
        </div>
      )}
      {children}
    </section>
  )
}

interface BoxProps {
  /** Step of the rhythm: 1 to 7 are 4, 8, 12, 16, 24, 32, 48 px. */
  gap?: 1 | 2 | 3 | 4 | 5 | 6 | 7
  as?: ElementType
  className?: string
  children?: ReactNode
}

/** Things under each other. */
export function Stack({ gap = 4, as: Tag = 'div', className, children }: BoxProps) {
  return <Tag className={classNames(styles.stack, styles[`gap${gap}`], className)}>{children}</Tag>
}

interface RowProps extends BoxProps {
  align?: 'start' | 'center' | 'baseline' | 'end'
  justify?: 'start' | 'between' | 'end'
  /** Default true. */
  wrap?: boolean
}

/** Things beside each other. */
export function Row({ gap = 2, align = 'center', justify = 'start', wrap = true, as: Tag = 'div', className, children }: RowProps) {
  const look = classNames(
    styles.row,
    styles[`gap${gap}`],
    styles[`align-${align}`],
    styles[`justify-${justify}`],
    wrap && styles.wrap,
    className,
  )
  return <Tag className={look}>{children}</Tag>
}
