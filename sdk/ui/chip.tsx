import { Link, useText } from '@stoa/sdk/web'
import styles from './chip.module.css'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import { VisuallyHidden } from './visually-hidden.tsx'

interface ChipProps {
  name: string
  /** Given: the chip is a link. */
  to?: string | null
  /** `guarded`: only some may use it, which a shield and a word for screen readers say too. */
  look?: 'plain' | 'accent' | 'guarded'
  /** Given: a cross that takes it out of a choice. */
  onRemove?(): void
}

/** A short name in a frame, such as a label or one of several choices. */
export function Chip({ name, to, look = 'plain', onRemove }: ChipProps) {
  const className = classNames(styles.chip, look !== 'plain' && styles[look])
  const content = (
    <>
      {look === 'guarded' && <Icon name="shield" size={14} />}
      {name}
      {look === 'guarded' && <Reserved />}
    </>
  )
  if (to && !onRemove)
    return (
      <Link to={to} className={className}>
        {content}
      </Link>
    )
  return (
    <span className={className}>
      {content}
      {onRemove && <Remove name={name} onRemove={onRemove} />}
    </span>
  )
}

// Pages have dozens of chips, and most say nothing but their name.

function Reserved() {
  const t = useText('core')
  return <VisuallyHidden> {t('kit.reserved')}</VisuallyHidden>
}

function Remove({ name, onRemove }: Required<Pick<ChipProps, 'name' | 'onRemove'>>) {
  const t = useText('core')
  return (
    <button type="button" className={styles.remove} aria-label={t('kit.remove', { name })} onClick={onRemove}>
      <Icon name="x" size={14} />
    </button>
  )
}
