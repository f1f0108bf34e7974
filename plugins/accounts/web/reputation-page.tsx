import type { ReplyOf } from '@stoa/sdk'
import { EmptyState } from '@stoa/sdk/ui/empty'
import { Icon } from '@stoa/sdk/ui/icon'
import { Section, Stack } from '@stoa/sdk/ui/page'
import { Pagination } from '@stoa/sdk/ui/pagination'
import { LinkRow, Rows } from '@stoa/sdk/ui/rows'
import { Time } from '@stoa/sdk/ui/time'
import { VisuallyHidden } from '@stoa/sdk/ui/visually-hidden'
import type { Head, PageProps, PageRequest } from '@stoa/sdk/web'
import { useApi, useLogin } from '@stoa/sdk/web'
import { useEffect, useState } from 'react'
import { siteCalls } from '../../site/shared/api.ts'
import { accountCalls } from '../shared/api.ts'
import { ProfileFrame } from './parts/profile-frame.tsx'
import type { Profile } from './parts/profile-tabs.ts'
import { useAccountsText } from './parts/use-accounts-text.ts'
import styles from './reputation-page.module.css'

const size = 20

type Gains = ReplyOf<typeof accountCalls.reputation>

interface Shown {
  profile: Profile
  gains: Gains
  page: number
}

export async function load(request: PageRequest): Promise<Shown> {
  const { username = '' } = request.params
  const asked = Number(request.query.get('page'))
  const page = Number.isSafeInteger(asked) && asked > 0 ? asked : 1
  const profile = await request.get(accountCalls.publicProfile, { query: { username }, allow404: true })
  return { profile, gains: await request.get(accountCalls.reputation, { query: { username, page, page_size: size } }), page }
}

export const head = ({ profile }: Shown): Head => ({ canonical: `/users/${profile.username}/reputation`, noindex: true })

/** The tab of a profile that says what brought somebody reputation; on one's own also what it allows, and what comes next. */
export default function ReputationPage({ data: { profile, gains, page } }: PageProps<Shown>) {
  const { person, isActivated } = useLogin()
  return (
    <ProfileFrame profile={profile}>
      <Stack gap={5} className={styles.page as string}>
        <List gains={gains} page={page} />
        {person?.id === profile.id && isActivated && <Privileges />}
      </Stack>
    </ProfileFrame>
  )
}

function List({ gains, page }: { gains: Gains; page: number }) {
  const t = useAccountsText()
  if (gains.count === 0) return <EmptyState icon="award" title={t('reputation.empty_title')} text={t('reputation.empty_text')} />
  return (
    <div>
      <Rows label={t('reputation.tab')}>
        {gains.list.map((row, index) => (
          <LinkRow
            key={`${row.object_id} ${row.created_at} ${index}`}
            to={pathOf(row)}
            title={row.title}
            figure={
              <span className={styles.gain}>
                {t('reputation.gained', { count: row.reputation })}
                <VisuallyHidden> {t('reputation.gained_label')}</VisuallyHidden>
              </span>
            }
          >
            <span>{row.rank_type}</span>
            <Time at={row.created_at} />
          </LinkRow>
        ))}
      </Rows>
      <Pagination page={page} pageSize={size} total={gains.count} />
    </div>
  )
}

const pathOf = ({ experience_id, answer_id, url_title }: Gains['list'][number]): string =>
  experience_id ? `/experiences/${[experience_id, answer_id].filter(Boolean).join('/')}` : `/tags/${encodeURIComponent(url_title)}`

/** What reputation allows, the nearest first of what is still to come. */
function Privileges() {
  const t = useAccountsText()
  const api = useApi()
  const [own, setOwn] = useState<ReplyOf<typeof siteCalls.ownPrivileges>>()
  useEffect(() => {
    let isLatest = true
    api.send(siteCalls.ownPrivileges, { passingError: true, ignoreServerError: true }).then(
      (found) => isLatest && setOwn(found),
      // It stands below everything else, and the list is no less without it.
      () => {},
    )
    return () => {
      isLatest = false
    }
  }, [api])
  if (!own) return null
  const inOrder = [...own.list.filter(({ allowed }) => !allowed), ...own.list.filter(({ allowed }) => allowed)]
  return (
    <Section title={t('reputation.next_title')} text={t('reputation.next_text', { rank: own.rank })}>
      <ul className={styles.privileges} aria-label={t('reputation.next_list')}>
        {inOrder.map(({ key, label, needed, allowed }) => (
          <li key={key} className={styles.privilege}>
            <Icon name={allowed ? 'check' : 'lock'} className={(allowed ? styles.has : styles.lacks) as string} />
            <span className={styles.label}>{label}</span>
            <span className={styles.needs}>
              {allowed ? t('reputation.has') : t('reputation.needs', { needed, missing: Math.max(0, needed - own.rank) })}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
