import type { ReplyOf } from '@stoa/sdk'
import { Avatar } from '@stoa/sdk/ui/avatar'
import { IconButton } from '@stoa/sdk/ui/button'
import { EmptyState } from '@stoa/sdk/ui/empty'
import { TextField } from '@stoa/sdk/ui/field'
import { Count } from '@stoa/sdk/ui/number'
import { PageTitle, Section } from '@stoa/sdk/ui/page'
import { Pagination } from '@stoa/sdk/ui/pagination'
import { TabLinks } from '@stoa/sdk/ui/tabs'
import { Time } from '@stoa/sdk/ui/time'
import type { Head, PageProps, PageRequest, Translate } from '@stoa/sdk/web'
import { Link, Slot, useNavigate } from '@stoa/sdk/web'
import type { FormEvent, ReactNode } from 'react'
import { accountCalls, accountSlots } from '../shared/api.ts'
import { useAccountsText } from './parts/use-accounts-text.ts'
import styles from './people-page.module.css'

const tabs = ['reputation', 'newest', 'week', 'staff'] as const
const size = 30

type Entry = ReplyOf<typeof accountCalls.ranking>['staffs'][number]

interface Shown {
  tab: (typeof tabs)[number]
  name: string
  page: number
  directory: ReplyOf<typeof accountCalls.directory> | null
  ranking: ReplyOf<typeof accountCalls.ranking> | null
}

export async function load(request: PageRequest): Promise<Shown> {
  const tab = tabs.find((one) => one === request.query.get('tab')) ?? 'reputation'
  const name = (request.query.get('name') ?? '').trim().slice(0, 30)
  const page = Math.max(1, Math.floor(Number(request.query.get('page'))) || 1)
  if (tab === 'week' || tab === 'staff')
    return { tab, name: '', page: 1, directory: null, ranking: await request.get(accountCalls.ranking) }
  const query = { page, page_size: size, order: tab, ...(name && { name }) }
  return { tab, name, page, directory: await request.get(accountCalls.directory, { query, allow404: true }), ranking: null }
}

export const head = ({ tab, name, page }: Shown, { t }: { t: Translate }): Head => {
  const query = new URLSearchParams({ ...(tab !== 'reputation' && { tab }), ...(page > 1 && { page: String(page) }) })
  return {
    title: t('people.title'),
    description: t('people.lead'),
    canonical: `/users${query.size > 0 ? `?${query}` : ''}`,
    noindex: name !== '',
  }
}

/** Everybody who is here, who did most in the last seven days, and the staff. */
export default function PeoplePage({ data: { tab, name, page, directory, ranking } }: PageProps<Shown>) {
  const t = useAccountsText()
  return (
    <>
      <PageTitle text={t('people.lead')}>{t('people.title')}</PageTitle>
      <TabLinks
        label={t('people.order')}
        items={tabs.map((id) => ({
          label: t(`people.tab_${id}`),
          to: addressOf(id, id === 'week' || id === 'staff' ? '' : name),
          current: id === tab,
        }))}
      />
      {directory && (
        <>
          <NameFilter key={name} tab={tab} value={name} />
          {directory.list.length === 0 ? (
            <EmptyState icon="users" title={t(name ? 'people.unknown_title' : 'people.empty_title')} />
          ) : (
            <People>
              {directory.list.map((person) => (
                <Person key={person.username} {...person}>
                  {tab === 'newest' ? (
                    <Time at={person.created_at} phrase={(time) => t('profile.joined', { time })} />
                  ) : (
                    <Figure value={person.rank} unit="people.reputation_unit" />
                  )}
                </Person>
              ))}
            </People>
          )}
          <Pagination page={page} pageSize={size} total={directory.count} />
        </>
      )}
      {ranking && (tab === 'staff' ? <Staff people={ranking.staffs} /> : <Week ranking={ranking} />)}
    </>
  )
}

/** @param name beginning of the names that are shown; empty for all */
function addressOf(tab: string, name: string): string {
  const query = new URLSearchParams({ ...(tab !== 'reputation' && { tab }), ...(name && { name }) })
  return `/users${query.size > 0 ? `?${query}` : ''}`
}

/** A plain form, so that it works without scripts too. */
function NameFilter({ tab, value }: { tab: string; value: string }) {
  const t = useAccountsText()
  const navigate = useNavigate()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name')).trim()
    void navigate(addressOf(tab, name))
  }
  return (
    <form method="get" action="/users" className={styles.filter} onSubmit={submit}>
      {tab !== 'reputation' && <input type="hidden" name="tab" value={tab} />}
      <TextField
        label={t('people.filter')}
        hideLabel
        className={styles.field as string}
        type="search"
        name="name"
        placeholder={t('people.filter_placeholder')}
        maxLength={30}
        autoComplete="off"
        defaultValue={value}
      />
      <IconButton type="submit" variant="secondary" icon="search" label={t('people.filter')} />
    </form>
  )
}

function Staff({ people }: { people: Entry[] }) {
  return (
    <div className={styles.staff}>
      <People>
        {people.map((person) => (
          <Person key={person.username} {...person}>
            <Figure value={person.rank} unit="people.reputation_unit" />
          </Person>
        ))}
      </People>
    </div>
  )
}

function Week({ ranking }: { ranking: NonNullable<Shown['ranking']> }) {
  const t = useAccountsText()
  const groups = [
    {
      title: t('people.reputation'),
      people: ranking.users_with_the_most_reputation,
      figure: (entry: Entry) => entry.rank,
      unit: 'people.reputation_unit',
    },
    {
      title: t('people.votes'),
      people: ranking.users_with_the_most_vote,
      figure: (entry: Entry) => entry.vote_count,
      unit: 'people.votes_unit',
    },
  ].filter((group) => group.people.length > 0)
  if (groups.length === 0) return <EmptyState icon="users" title={t('people.empty_title')} text={t('people.empty_text')} />
  return groups.map((group) => (
    <Section key={group.title} title={group.title} className={styles.week as string}>
      <People>
        {group.people.map((entry) => (
          <Person key={entry.username} {...entry}>
            <Figure value={group.figure(entry)} unit={group.unit} />
          </Person>
        ))}
      </People>
    </Section>
  ))
}

const People = ({ children }: { children: ReactNode }) => <ul className={styles.list}>{children}</ul>

interface PersonProps {
  username: string
  display_name: string
  avatar: string
  rank: number
  children: ReactNode
}

function Person({ children, ...person }: PersonProps) {
  const { username, display_name, avatar } = person
  return (
    <li>
      <Link to={`/users/${username}`} className={styles.person}>
        <Avatar name={display_name} src={avatar} size={40} />
        <span className={styles.names}>
          <span className={styles.name}>{display_name}</span>
          <span className={styles.figure}>{children}</span>
        </span>
      </Link>
      <Slot of={accountSlots.card} props={{ person }} />
    </li>
  )
}

function Figure({ value, unit }: { value: number; unit: string }) {
  const t = useAccountsText()
  return (
    <>
      <Count value={value} /> {t(unit, { count: value })}
    </>
  )
}
