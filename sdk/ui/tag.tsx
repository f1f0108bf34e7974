import { Link, useText } from '@stoa/sdk/web'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import styles from './tag.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'

export interface TagChipProps {
  slug: string
  /** Shown; default the slug. */
  name?: string
  /** Default `/tags/<slug>`; null for a chip that is no link. */
  to?: string | null
  /** Only staff may use it. */
  reserved?: boolean
  recommend?: boolean
  /** Given: a cross that takes it out of a choice. */
  onRemove?(): void
}

/** A tag as a chip. */
export function TagChip({ slug, name = slug, to = `/tags/${encodeURIComponent(slug)}`, reserved, recommend, onRemove }: TagChipProps) {
  const t = useText('core')
  const look = classNames(styles.tag, reserved && styles.reserved, recommend && styles.recommend)
  const content = (
    <>
      {reserved && <Icon name="shield" size={14} />}
      {name}
      {reserved && <VisuallyHidden> {t('kit.reserved')}</VisuallyHidden>}
    </>
  )
  if (to !== null && !onRemove)
    return (
      <Link to={to} className={look}>
        {content}
      </Link>
    )
  return (
    <span className={look}>
      {content}
      {onRemove && (
        <button type="button" className={styles.remove} aria-label={t('kit.remove', { name })} onClick={onRemove}>
          <Icon name="x" size={14} />
        </button>
      )}
    </span>
  )
}
