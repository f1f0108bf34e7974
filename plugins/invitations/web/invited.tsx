import type { PropsOf } from '@stoa/sdk'
import { Avatar } from '@stoa/sdk/ui/avatar'
import { Link, useText } from '@stoa/sdk/web'
import type { experienceSlots } from '../../experiences/shared/api.ts'
import { invitedIn } from '../shared/api.ts'
import styles from './invited.module.css'

/** Who was asked to answer. */
export default function Invited({ id, detail }: PropsOf<typeof experienceSlots.footer>) {
  const t = useText('invitations')
  const people = invitedIn(detail.beside)
  if (people.length === 0) return null
  return (
    <div className={styles.invited}>
      <span id={`invited-${id}`}>{t('title')}</span>
      <ul className={styles.people} aria-labelledby={`invited-${id}`}>
        {people.map(({ username, display_name, avatar }) => (
          <li key={username}>
            <Avatar name={display_name} src={avatar} size={20} />
            <Link to={`/users/${username}`}>{display_name}</Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
