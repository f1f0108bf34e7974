import { Avatar } from '@stoa/sdk/ui/avatar'
import { ButtonLink } from '@stoa/sdk/ui/button'
import { Notice } from '@stoa/sdk/ui/notice'
import { Count } from '@stoa/sdk/ui/number'
import { Prose } from '@stoa/sdk/ui/prose'
import { TabLinks } from '@stoa/sdk/ui/tabs'
import { Time } from '@stoa/sdk/ui/time'
import type { Head, PageProps, PageRequest } from '@stoa/sdk/web'
import { Slot, useLogin } from '@stoa/sdk/web'
import { accountCalls, accountSlots } from '../shared/api.ts'
import { ProfilePosts } from './parts/profile-posts.tsx'
import type { Profile, Tab, TabData } from './parts/profile-tabs.ts'
import { loadTab, tabs } from './parts/profile-tabs.ts'
import { useAccountsText } from './parts/use-accounts-text.ts'
import styles from './profile-page.module.css'

interface ProfileData {
  profile: Profile
  tab: Tab
  list: TabData
}

export async function load(request: PageRequest): Promise<ProfileData> {
  const { username = '', tabName = 'overview' } = request.params
  const tab = tabs.find((name) => name === tabName) ?? request.notFound()
  const profile = await request.get(accountCalls.publicProfile, { query: { username }, allow404: true })
  return { profile, tab, list: await loadTab(request, tab, username) }
}

export const head = ({ profile, tab }: ProfileData): Head => ({
  title: `${profile.display_name} (@${profile.username})`,
  description: profile.bio.slice(0, 240),
  canonical: `/users/${profile.username}`,
  noindex: tab !== 'overview' || profile.status !== 'normal',
})

export default function ProfilePage({ data: { profile, tab, list } }: PageProps<ProfileData>) {
  const t = useAccountsText()
  const { person } = useLogin()
  const base = `/users/${profile.username}`
  const items = tabs.map((name) => ({
    to: name === 'overview' ? base : `${base}/${name}`,
    label: t(`profile.${name}`),
    current: name === tab,
  }))
  return (
    <article>
      <header className={styles.header}>
        <Avatar name={profile.display_name} src={profile.avatar} size={96} />
        <div className={styles.who}>
          <h1 className={styles.name}>{profile.display_name}</h1>
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
          <div>
            <dt>{t('profile.experiences')}</dt>
            <dd>
              <Count value={profile.experience_count} />
            </dd>
          </div>
          <div>
            <dt>{t('profile.answers')}</dt>
            <dd>
              <Count value={profile.answer_count} />
            </dd>
          </div>
        </dl>
        {person?.id === profile.id && (
          <ButtonLink to="/users/settings/profile" icon="pencil" className={styles.edit}>
            <span>{t('profile.edit')}</span>
          </ButtonLink>
        )}
      </div>
      <TabLinks label={t('profile.tabs')} items={items} />
      <div className={styles.content}>
        {tab === 'overview' && profile.bio_html && <Prose html={profile.bio_html} />}
        <ProfilePosts tab={tab} list={list} hasText={profile.bio_html !== ''} />
      </div>
      <Slot of={accountSlots.profileTabs} props={{ username: profile.username, id: profile.id, tab }} />
    </article>
  )
}
