import { Icon } from '@stoa/sdk/ui/icon'
import { Link, Slot, useLogin, useText } from '@stoa/sdk/web'
import { noticeSlots } from '../shared/api.ts'
import styles from './bell.module.css'
import { useStatus } from './use-status.ts'

/** In the header: how much is new, and the way there. */
export default function Bell() {
  const { person, isActivated, isForbidden } = useLogin()
  return person && isActivated && !isForbidden ? <New personId={person.id} /> : null
}

function New({ personId }: { personId: string }) {
  const t = useText('notifications')
  const { inbox, achievement, award, onAwardRead } = useStatus(personId)
  const count = inbox + achievement
  const label = count > 0 ? t('bell.new', { count }) : t('title')
  return (
    <>
      <Link
        to={`/users/notifications/${inbox === 0 && achievement > 0 ? 'achievement' : 'inbox'}`}
        className={styles.link}
        title={label}
        aria-label={label}
      >
        <Icon name="bell" size={20} />
        {count > 0 && (
          <span className={styles.count} aria-hidden="true">
            {count > 99 ? '99+' : count}
          </span>
        )}
      </Link>
      {award && (
        <Slot
          key={award.notification_id}
          of={noticeSlots.award}
          props={{ badgeId: award.badge_id, name: award.name, icon: award.icon, level: award.level, onRead: onAwardRead }}
        />
      )}
    </>
  )
}
