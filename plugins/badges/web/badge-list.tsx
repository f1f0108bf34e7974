import { Link, useText } from '@stoa/sdk/web'
import type { ReactNode } from 'react'
import styles from './badges.module.css'
import { Medal } from './medal.tsx'

interface ListedBadge {
  id: string
  name: string
  icon: string
  level: number
}

/** Badges beside each other, each leading to its page. `facts`: what stands under the name. */
export function BadgeList<B extends ListedBadge>({
  badges,
  label,
  facts,
}: {
  badges: readonly B[]
  label?: string
  facts(badge: B): ReactNode
}) {
  const t = useText('badges')
  return (
    <ul className={styles.grid} aria-label={label}>
      {badges.map((badge) => (
        <li key={badge.id}>
          <Link to={`/badges/${badge.id}`} className={styles.badge}>
            <Medal icon={badge.icon} level={badge.level} />
            <span className={styles.words}>
              <span className={styles.name}>{badge.name}</span>
              <span className={styles.facts}>
                <span>{t(`level.${badge.level}`)}</span>
                {facts(badge)}
              </span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
