import type { ReplyOf } from '@stoa/sdk'
import { Avatar } from '@stoa/sdk/ui/avatar'
import { EmptyState } from '@stoa/sdk/ui/empty'
import { Count } from '@stoa/sdk/ui/number'
import { PageTitle, Section } from '@stoa/sdk/ui/page'
import type { Head, PageProps, PageRequest, Translate } from '@stoa/sdk/web'
import { Link } from '@stoa/sdk/web'
import { accountCalls } from '../shared/api.ts'
import { useAccountsText } from './parts/use-accounts-text.ts'
import styles from './people-page.module.css'

type Ranking = ReplyOf<typeof accountCalls.ranking>
type Entry = Ranking['staffs'][number]

export const load = ({ get }: PageRequest) => get(accountCalls.ranking)

export const head = (_: Ranking, { t }: { t: Translate }): Head => ({
  title: t('people.title'),
  description: t('people.lead'),
  canonical: '/users',
})

export default function PeoplePage({ data }: PageProps<Ranking>) {
  const t = useAccountsText()
  const groups = [
    {
      title: t('people.reputation'),
      people: data.users_with_the_most_reputation,
      figure: (entry: Entry) => entry.rank,
      unit: 'people.reputation_unit',
    },
    {
      title: t('people.votes'),
      people: data.users_with_the_most_vote,
      figure: (entry: Entry) => entry.vote_count,
      unit: 'people.votes_unit',
    },
    { title: t('people.staff'), people: data.staffs, figure: (entry: Entry) => entry.rank, unit: 'people.reputation_unit' },
  ].filter((group) => group.people.length > 0)
  return (
    <>
      <PageTitle text={t('people.lead')}>{t('people.title')}</PageTitle>
      {groups.length === 0 && <EmptyState icon="users" title={t('people.empty_title')} text={t('people.empty_text')} />}
      {groups.map((group) => (
        <Section key={group.title} title={group.title}>
          <ul className={styles.list}>
            {group.people.map((entry) => (
              <li key={entry.username}>
                <Link to={`/users/${entry.username}`} className={styles.person}>
                  <Avatar name={entry.display_name} src={entry.avatar} size={40} />
                  <span className={styles.names}>
                    <span className={styles.name}>{entry.display_name}</span>
                    <span className={styles.figure}>
                      <Count value={group.figure(entry)} /> {t(group.unit, { count: group.figure(entry) })}
                    </span>
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </Section>
      ))}
    </>
  )
}
