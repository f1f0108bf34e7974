import { Icon } from '@stoa/sdk/ui/icon'
import styles from './medal.module.css'

/** Names that clients of the protocol know → those of the kit. Others are taken for the kit's. */
const drawings: Record<string, string> = {
  'person-badge-fill': 'user',
  'pencil-fill': 'pencil',
  'flag-fill': 'flag',
  'hand-thumbs-up-fill': 'thumb-up',
  'emoji-smile-fill': 'smile',
  'share-fill': 'share',
  'check-circle-fill': 'check-circle',
  'check-square-fill': 'check',
  'chat-square-text-fill': 'message',
  'question-circle-fill': 'star',
}
const metals: Record<number, string | undefined> = { 1: styles.bronze, 2: styles.silver, 3: styles.gold }

/** The picture of a badge: its sign on the metal of its level. Name and level stand beside it in words. */
export function Medal({ icon, level, size = 'medium' }: { icon: string; level: number; size?: 'medium' | 'large' }) {
  return (
    <span className={`${styles.medal} ${metals[level] ?? styles.bronze} ${size === 'large' ? styles.large : ''}`} aria-hidden="true">
      <Icon name={drawings[icon] ?? icon} size={size === 'large' ? 32 : 20} />
    </span>
  )
}
