import { Avatar } from '@stoa/sdk/ui/avatar'
import { ButtonLink } from '@stoa/sdk/ui/button'
import { Notice } from '@stoa/sdk/ui/notice'
import { Count } from '@stoa/sdk/ui/number'
import { TabLinks } from '@stoa/sdk/ui/tabs'
import { Time } from '@stoa/sdk/ui/time'
import { Slot, useLocation, useLogin } from '@stoa/sdk/web'
import { useNavigation } from '@stoa/sdk/web/live'
import type { ReactNode } from 'react'
import { accountSlots } from '../../shared/api.ts'
import styles from '../profile-page.module.css'
import type { Profile } from './profile-tabs.ts'
import { useAccountsText } from './use-accounts-text.ts'

/** Who somebody is, with the tabs of their profile: by two menus, so that each goes with its plugin. What has no tab is not counted. */
export function ProfileFrame({ profile, children }: { profile: Profile; children: ReactNode }) {
  const t = useAccountsText()
  const { person } = useLogin()
  const others = useNavigation('accounts.profileTabs')
  const own = useNavigation('accounts.ownProfileTabs')
  const { pathname } = useLocation()
  const isOwn = person?.id === profile.id
  const base = `/users/${profile.username}`
  const here = pathname.replace(/\/$/, '').toLowerCase()
  const tabs = [{ path: '', label: t('profile.overview') }, ...others, ...(isOwn ? own : [])]
  const items = tabs.map(({ path, label }) => ({ to: base + path, label, current: here === (base + path).toLowerCase() }))
  const counts = [
    ['experiences', profile.experience_count],
    ['answers', profile.answer_count],
  ] as const
  return (
    <article>
      <header className={styles.header}>
        <Avatar name={profile.display_name} src={profile.avatar} size={96} />
        <div className={styles.who}>
          <h1 className={styles.name} dir="auto">
            {profile.display_name}
          </h1>
          <p className={styles.username}>@{profile.username}</p>
          <ul className={styles.facts}>
            {profile.location && <li>{profile.location}</li>}
            {profile.website && (
              <li>
                <a href={profile.website} rel="nofollow ugc noopener me">
                  {profile.website.replace(/^https?:\/\/|\/$/g, '')}
                </a>
              </li>
            )}
            <li>
              <Time at={profile.created_at} style="date" phrase={(time) => t('profile.joined', { time })} />
            </li>
          </ul>
        </div>
      </header>
      {profile.status_msg && <Notice>{profile.status_msg}</Notice>}
      <div className={styles.line}>
        <dl className={styles.figures}>
          <div>
            <dt>{t('profile.reputation')}</dt>
            <dd>
              <Count value={profile.rank} />
            </dd>
          </div>
          {counts
            .filter(([name]) => others.some(({ path }) => path === `/${name}`))
            .map(([name, count]) => (
              <div key={name}>
                <dt>{t(`profile.${name}`)}</dt>
                <dd>
                  <Count value={count} />
                </dd>
              </div>
            ))}
        </dl>
        <div className={styles.acts}>
          {isOwn && (
            <ButtonLink to="/users/settings/profile" icon="pencil">
              {t('profile.edit')}
            </ButtonLink>
          )}
          <Slot of={accountSlots.profile} props={{ username: profile.username, id: profile.id }} />
        </div>
      </div>
      <TabLinks label={t('profile.tabs')} items={items} />
      {children}
    </article>
  )
}
