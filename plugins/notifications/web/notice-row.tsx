import type { ReplyOf } from '@stoa/sdk'
import { Avatar } from '@stoa/sdk/ui/avatar'
import { IconButton } from '@stoa/sdk/ui/button'
import { Icon } from '@stoa/sdk/ui/icon'
import { Time } from '@stoa/sdk/ui/time'
import { VisuallyHidden } from '@stoa/sdk/ui/visually-hidden'
import { Link, useText } from '@stoa/sdk/web'
import type { noticeCalls } from '../shared/api.ts'
import styles from './notifications-page.module.css'

interface NoticeRowProps {
  notice: ReplyOf<typeof noticeCalls.page>['list'][number]
  isUnread: boolean
  onRead(): void
}

/** Who did what, to what, when. */
export function NoticeRow({ notice, isUnread, onRead }: NoticeRowProps) {
  const t = useText('notifications')
  const { user_info: person, object_info: object, notification_action: action, rank, update_time } = notice
  const title = object.title || t('untitled')
  const hasProfile = person && person.status !== 'deleted' && person.username !== ''
  return (
    <li className={`${styles.row} ${isUnread ? styles.unread : ''}`}>
      <span className={styles.picture}>
        {person ? (
          <Avatar name={person.display_name} src={person.avatar} size={40} />
        ) : (
          <Icon name={rank === 0 ? 'bell' : 'award'} size={20} />
        )}
      </span>
      <div className={styles.words}>
        <p className={styles.what}>
          {isUnread && <VisuallyHidden>{t('unread')} </VisuallyHidden>}
          {person &&
            (hasProfile ? (
              <Link to={`/users/${encodeURIComponent(person.username)}`} className={styles.name}>
                {person.display_name}
              </Link>
            ) : (
              <span className={styles.name}>{person.display_name}</span>
            ))}{' '}
          {action}{' '}
          {rank !== 0 && <span className={rank > 0 ? styles.gain : styles.loss}>{t('rank', { rank, sign: rank > 0 ? '+' : '' })}</span>}
        </p>
        {object.path ? (
          <Link to={object.path} className={styles.title} onClick={() => isUnread && onRead()}>
            {title}
          </Link>
        ) : (
          <span className={styles.title}>{title}</span>
        )}
        <Time at={update_time} className={styles.about} />
      </div>
      <span className={styles.end}>
        {isUnread && <IconButton icon="check" label={t('mark_of', { title })} title={t('mark')} onClick={onRead} />}
      </span>
    </li>
  )
}
