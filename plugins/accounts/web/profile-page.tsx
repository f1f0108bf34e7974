import { Prose } from '@stoa/sdk/ui/prose'
import type { Head, PageProps, PageRequest } from '@stoa/sdk/web'
import { Slot } from '@stoa/sdk/web'
import { accountCalls, accountSlots } from '../shared/api.ts'
import { ProfileFrame } from './parts/profile-frame.tsx'
import { ProfilePosts } from './parts/profile-posts.tsx'
import type { Profile, Tab, TabData } from './parts/profile-tabs.ts'
import { loadTab, tabs } from './parts/profile-tabs.ts'
import styles from './profile-page.module.css'

interface ProfileData {
  profile: Profile
  tab: Tab
  data: TabData
}

export async function load(request: PageRequest): Promise<ProfileData> {
  const { username = '', tabName = 'overview' } = request.params
  const tab = tabs.find((name) => name === tabName) ?? request.notFound()
  const profile = await request.get(accountCalls.publicProfile, { query: { username }, allow404: true })
  // A name that was given up leads on.
  if (profile.username.toLowerCase() !== username.toLowerCase())
    request.redirect(`/users/${profile.username}${tab === 'overview' ? '' : `/${tab}`}`)
  return { profile, tab, data: await loadTab(request, tab, username) }
}

export const head = ({ profile, tab }: ProfileData): Head => ({
  title: `${profile.display_name} (@${profile.username})`,
  description: profile.bio.slice(0, 240),
  canonical: `/users/${profile.username}`,
  noindex: tab !== 'overview' || profile.status !== 'normal',
})

export default function ProfilePage({ data: { profile, tab, data } }: PageProps<ProfileData>) {
  return (
    <ProfileFrame profile={profile}>
      <div className={styles.content}>
        {tab === 'overview' && profile.bio_html && <Prose html={profile.bio_html} />}
        <ProfilePosts tab={tab} data={data} hasText={profile.bio_html !== ''} />
      </div>
      <Slot of={accountSlots.profileTabs} props={{ username: profile.username, id: profile.id, tab }} />
    </ProfileFrame>
  )
}
