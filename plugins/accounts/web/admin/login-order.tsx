import type { ReplyOf } from '@stoa/sdk'
import { Badge } from '@stoa/sdk/ui/badge'
import { ButtonLink, IconButton } from '@stoa/sdk/ui/button'
import { EmptyState } from '@stoa/sdk/ui/empty'
import { Row } from '@stoa/sdk/ui/page'
import { VisuallyHidden } from '@stoa/sdk/ui/visually-hidden'
import { useLayoutEffect, useRef, useState } from 'react'
import type { outsideCalls } from '../../shared/api.ts'
import { LoginIcon } from '../parts/login-icon.tsx'
import { useAccountsText } from '../parts/use-accounts-text.ts'
import styles from './login-order.module.css'

export type OrderedLogin = ReplyOf<typeof outsideCalls.order>['logins'][number]

interface LoginOrderProps {
  logins: readonly OrderedLogin[]
  /** Slugs. */
  order: readonly string[]
  /** The one that stands at the top whatever the order is; empty: none. */
  first: string
  disabled: boolean
  onChange(order: string[]): void
}

/** Names one under another, each with buttons that move it. */
export function LoginOrder({ logins, order, first, disabled, onChange }: LoginOrderProps) {
  const t = useAccountsText()
  const pressed = useRef<HTMLButtonElement>(null)
  const [said, setSaid] = useState('')
  // A row that is taken out and put in elsewhere loses the focus of its buttons.
  useLayoutEffect(() => {
    pressed.current?.focus()
    pressed.current = null
  }, [order])
  const rows = order.toSorted((one, other) => Number(other === first) - Number(one === first))
  const top = rows[0] === first ? 1 : 0

  function move(from: number, to: number, button: HTMLButtonElement): void {
    const slug = rows[from]
    if (disabled || slug === undefined || to < top || to >= rows.length) return
    pressed.current = button
    const next = rows.toSpliced(from, 1).toSpliced(to, 0, slug)
    setSaid(t('order.moved', { name: nameOf(slug), place: to + 1, count: rows.length }))
    onChange(next)
  }
  const nameOf = (slug: string) => logins.find((login) => login.slug === slug)?.name ?? slug

  if (logins.length === 0)
    return (
      <EmptyState
        icon="log-in"
        title={t('order.none')}
        action={<ButtonLink to="/admin/installed-plugins">{t('order.plugins')}</ButtonLink>}
      />
    )
  return (
    <fieldset className={styles.group}>
      <legend>{t('order.order')}</legend>
      <ol className={styles.list}>
        {rows.map((slug, place) => (
          <li key={slug}>
            <LoginIcon address={logins.find((login) => login.slug === slug)?.icon ?? ''} />
            <span className={styles.words}>
              <strong dir="auto">{nameOf(slug)}</strong>
              <span className={styles.muted}>{slug}</span>
            </span>
            {slug === first ? (
              <Badge>{t('order.is_first')}</Badge>
            ) : (
              <Row>
                <IconButton
                  icon="arrow-up"
                  label={t('order.up', { name: nameOf(slug) })}
                  aria-disabled={place <= top || undefined}
                  onClick={(event) => move(place, place - 1, event.currentTarget)}
                />
                <IconButton
                  icon="arrow-down"
                  label={t('order.down', { name: nameOf(slug) })}
                  aria-disabled={place === rows.length - 1 || undefined}
                  onClick={(event) => move(place, place + 1, event.currentTarget)}
                />
              </Row>
            )}
          </li>
        ))}
      </ol>
      <div aria-live="polite">
        <VisuallyHidden>{said}</VisuallyHidden>
      </div>
    </fieldset>
  )
}
