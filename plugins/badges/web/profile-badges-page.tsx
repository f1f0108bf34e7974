import type { ReplyOf } from '@stoa/sdk'
import { ButtonLink } from '@stoa/sdk/ui/button'
import { EmptyState } from '@stoa/sdk/ui/empty'
import type { Head, PageProps, PageRequest } from '@stoa/sdk/web'
import { Slot, useText } from '@stoa/sdk/web'
import { accountCalls, accountSlots } from '../../accounts/shared/api.ts'
import { badgeCalls } from '../shared/api.ts'
import { BadgeList } from './badge-list.tsx'
import styles from './badges.module.css'

interface Shown {
  profile: ReplyOf<typeof accountCalls.publicProfile>
  badges: ReplyOf<typeof badgeCalls.personal>
}

export async function load(request: PageRequest): Promise<Shown> {
  const { username = '' } = request.params
  // The profile first: it says whether there is somebody.
  const profile = await request.get(accountCalls.publicProfile, { query: { username }, allow404: true })
  return { profile, badges: await request.get(badgeCalls.personal, { query: { username } }) }
}

export const head = ({ profile }: Shown): Head => ({ canonical: `/users/${profile.username}/badges`, noindex: true })

/** The tab of a profile with the badges of that person. */
export default function ProfileBadgesPage({ data: { profile, badges } }: PageProps<Shown>) {
  const t = useText('badges')
  const children =
    badges.count === 0 ? (
      <EmptyState
        icon="award"
        title={t('profile.empty_title')}
        text={t('profile.empty_text')}
        action={<ButtonLink to="/badges">{t('profile.see_all')}</ButtonLink>}
      />
    ) : (
      <div className={styles.tab}>
        <BadgeList
          label={t('tab')}
          badges={badges.list}
          facts={({ earned_count }) => earned_count > 1 && <span>{t('times', { count: earned_count })}</span>}
        />
      </div>
    )
  return <Slot of={accountSlots.profileFrame} props={{ profile, children }} />
}
