import { Link, useLocation, useText } from '@stoa/sdk/web'
import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import styles from './pagination.module.css'

interface PaginationProps {
  /** From 1. */
  page: number
  pageSize: number
  total: number
  /** Name in the query; default `page`. */
  param?: string
  /** Part of the page to come back to, such as `answers`. */
  hash?: string
}

/** Links to the pages of a list; the rest of the query is kept. Nothing when there is only one page. */
export function Pagination({ page, pageSize, total, param = 'page', hash }: PaginationProps) {
  const t = useText('core')
  const { pathname, search } = useLocation()
  const last = Math.max(1, Math.ceil(total / pageSize))
  if (last === 1) return null
  const address = (to: number) => {
    const query = new URLSearchParams(search)
    if (to === 1) query.delete(param)
    else query.set(param, String(to))
    const text = query.toString()
    return `${pathname}${text && `?${text}`}${hash ? `#${hash}` : ''}`
  }
  return (
    <nav aria-label={t('kit.pages')} className={styles.pagination}>
      <Step to={page > 1 ? address(page - 1) : undefined} rel="prev">
        <Icon name="chevron-left" />
        {t('kit.previous')}
      </Step>
      <ol className={styles.pages}>
        {pagesToShow(page, last).map((number, index) =>
          number === 0 ? (
            <li key={`gap${index}`} aria-hidden="true" className={styles.gap}>
              …
            </li>
          ) : (
            <li key={number}>
              <Link
                to={address(number)}
                className={styles.page}
                aria-current={number === page ? 'page' : undefined}
                aria-label={t('kit.page', { page: number })}
              >
                {number}
              </Link>
            </li>
          ),
        )}
      </ol>
      <span className={styles.short} aria-hidden="true">
        {page} / {last}
      </span>
      <Step to={page < last ? address(page + 1) : undefined} rel="next">
        {t('kit.next')}
        <Icon name="chevron-right" />
      </Step>
    </nav>
  )
}

function Step({ to, rel, children }: { to: string | undefined; rel: 'prev' | 'next'; children: ReactNode }) {
  if (to === undefined) {
    return (
      <span className={styles.step} aria-hidden="true">
        {children}
      </span>
    )
  }
  return (
    <Link to={to} rel={rel} className={styles.step}>
      {children}
    </Link>
  )
}

/** First, last and the neighbours of the present one; 0 stands for a gap. A gap of one page is that page. */
export function pagesToShow(page: number, last: number): number[] {
  const near = [1, page - 1, page, page + 1, last].filter((number) => number >= 1 && number <= last)
  const sorted = [...new Set(near)].sort((a, b) => a - b)
  return sorted.flatMap((number, index) => {
    const missing = number - (sorted[index - 1] ?? 0) - 1
    return missing === 0 ? [number] : missing === 1 ? [number - 1, number] : [0, number]
  })
}
