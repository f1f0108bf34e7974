import type { PropsOf } from '@stoa/sdk'
import { Avatar } from '@stoa/sdk/ui/avatar'
import { Badge } from '@stoa/sdk/ui/badge'
import { Button } from '@stoa/sdk/ui/button'
import { Notice } from '@stoa/sdk/ui/notice'
import { Prose } from '@stoa/sdk/ui/prose'
import { Time } from '@stoa/sdk/ui/time'
import { Link, useText } from '@stoa/sdk/web'
import type { ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import type { ReviewAction, reviewSlots } from '../shared/api.ts'
import styles from './frame.module.css'

/** One thing to decide with all that is known of it. Its letters work as soon as it is there. */
export default function Frame(item: PropsOf<typeof reviewSlots.frame>) {
  const { title, to, author, at, states = [], about = '', html, tags = [], children, actions, problem } = item
  const t = useText('review')
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    if (document.activeElement === document.body) box.current?.focus({ preventScroll: true })
  }, [])
  return (
    <article ref={box} className={styles.item} data-stop="" tabIndex={-1} aria-labelledby="review-title">
      <header className={styles.head}>
        <h2 id="review-title" className={styles.title} dir="auto">
          <Link to={to}>{title}</Link>
        </h2>
        <div className={styles.meta}>
          <span className={styles.person}>
            <Avatar name={author.display_name} src={author.avatar} size={24} />
            {author.username ? <Link to={`/users/${author.username}`}>{author.display_name}</Link> : author.display_name}
          </span>
          <Time at={at} />
          {states.map((state) => (
            <Badge key={state} tone="warning">
              {state}
            </Badge>
          ))}
        </div>
      </header>
      {children as ReactNode}
      {about && (
        <details className={styles.about}>
          <summary>{t('about')}</summary>
          <Prose html={about} size="small" scope="about" />
        </details>
      )}
      {html !== undefined && (
        <div className={styles.text}>
          <Prose html={html} />
          {tags.length > 0 && (
            <div className={styles.tags}>
              {tags.map(({ slug_name, display_name }) => (
                <Badge key={slug_name}>{display_name || slug_name}</Badge>
              ))}
            </div>
          )}
        </div>
      )}
      {problem && (
        <Notice tone="danger" live>
          {problem}
        </Notice>
      )}
      <div className={styles.actions}>
        {actions.map((action) => (
          <ActionButton key={action.label} {...action} />
        ))}
      </div>
      <p className={styles.hint}>{t('hint')}</p>
    </article>
  )
}

function ActionButton({ label, shortcut, tone, busy = false, onSelect }: ReviewAction) {
  const variant = tone ?? 'secondary'
  return (
    <Button variant={variant} busy={busy} onClick={onSelect} aria-keyshortcuts={shortcut} className={styles.action as string}>
      {label}
    </Button>
  )
}
