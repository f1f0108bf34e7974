import type { ReplyOf } from '@stoa/sdk'
import { Avatar } from '@stoa/sdk/ui/avatar'
import { Button } from '@stoa/sdk/ui/button'
import { EmptyState } from '@stoa/sdk/ui/empty'
import { Menu } from '@stoa/sdk/ui/menu'
import { Notice } from '@stoa/sdk/ui/notice'
import { Count } from '@stoa/sdk/ui/number'
import { PageTitle, Section } from '@stoa/sdk/ui/page'
import { Time } from '@stoa/sdk/ui/time'
import type { ApiError, PageProps, PageRequest } from '@stoa/sdk/web'
import { Link, Slot, useApi, useToast } from '@stoa/sdk/web'
import { useNavigation } from '@stoa/sdk/web/live'
import { useState } from 'react'
import { auditSlots } from '../../../audit/shared/api.ts'
import { accountCalls, accountSlots } from '../../shared/api.ts'
import { useAccountsText } from '../parts/use-accounts-text.ts'
import { StatusWords } from './status.tsx'
import { usePersonActs } from './use-person-acts.tsx'
import styles from './user-page.module.css'

type Person = ReplyOf<typeof accountCalls.adminPerson>

/** Null: deleted, or nobody. */
export async function load(request: PageRequest): Promise<Person | null> {
  try {
    return await request.get(accountCalls.adminPerson, { query: { user_id: (request.params.user_id ?? '').slice(0, 20) } })
  } catch (error) {
    if ((error as ApiError).reason === 'error.user.not_found') return null
    throw error
  }
}

export default function UserPage({ data: person, reload }: PageProps<Person | null>) {
  const t = useAccountsText()
  return (
    <>
      <p className={styles.back}>
        <Link to="/admin/users">{t('admin.detail.back')}</Link>
      </p>
      {person ? (
        <About person={person} reload={reload} />
      ) : (
        <>
          <PageTitle>{t('admin.person_title')}</PageTitle>
          <EmptyState icon="user" title={t('admin.detail.gone_title')} text={t('admin.detail.gone_text')} />
        </>
      )}
    </>
  )
}

/** One person with everything that can be done about them. */
function About({ person, reload }: { person: Person; reload(): Promise<void> }) {
  const t = useAccountsText()
  const { itemsFor, dialog } = usePersonActs(() => void reload())
  const { display_name: name, username } = person
  const tabs = useNavigation('accounts.profileTabs')
  const wrote = (
    [
      ['/experiences', 'admin.detail.posts', person.experience_count],
      ['/answers', 'admin.detail.answers', person.answer_count],
    ] as const
  ).filter(([tab]) => tabs.some(({ path }) => path === tab))
  return (
    <>
      <PageTitle
        actions={
          <Menu label={t('admin.menu', { name })} items={itemsFor(person)} variant="secondary">
            {t('admin.actions')}
          </Menu>
        }
      >
        {name}
      </PageTitle>
      <div className={styles.head}>
        <Avatar name={name} src={person.avatar} size={48} />
        <p>
          <span>@{username}</span>
          <span>{person.e_mail}</span>
          <StatusWords {...person} />
        </p>
      </div>
      {person.status === 'suspended' && (
        <div className={styles.notice}>
          <Notice tone="warning" title={t('admin.detail.suspended_title')}>
            {person.suspension_reason || t('admin.suspended_for_good')}
          </Notice>
        </div>
      )}
      <Section title={t('admin.detail.facts')}>
        <Facts person={person} />
      </Section>
      <Section title={t('admin.detail.wrote')}>
        <ul className={styles.links}>
          <li>
            <Link to={`/users/${username}`}>{t('admin.detail.profile')}</Link>
          </li>
          {wrote.map(([path, words, count]) => (
            <li key={path}>
              <Link to={`/users/${username}${path}`}>{t(words)}</Link> <Count value={count} />
            </li>
          ))}
        </ul>
      </Section>
      <Sessions person={person} reload={reload} />
      <Slot of={accountSlots.adminPerson} props={{ id: person.user_id, username, name }} />
      <Slot of={auditSlots.object} props={{ kind: 'person', id: person.user_id, version: person }} />
      {dialog}
    </>
  )
}

function Facts({ person }: { person: Person }) {
  const t = useAccountsText()
  return (
    <dl className={styles.facts}>
      <div>
        <dt>{t('admin.role')}</dt>
        <dd>{t(`admin.role_${person.role_id}`)}</dd>
      </div>
      <div>
        <dt>{t('admin.reputation')}</dt>
        <dd>
          <Count value={person.rank} />
        </dd>
      </div>
      <div>
        <dt>{t('admin.joined')}</dt>
        <dd>
          <Time at={person.created_at} style="date" />
        </dd>
      </div>
      <div>
        <dt>{t('admin.detail.last_login')}</dt>
        <dd>{person.last_login_date > 0 ? <Time at={person.last_login_date} /> : t('admin.detail.never')}</dd>
      </div>
      <div>
        <dt>{t('admin.detail.password')}</dt>
        <dd>{t(person.has_password ? 'admin.detail.has_password' : 'admin.detail.no_password')}</dd>
      </div>
      {person.former_names.length > 0 && (
        <div>
          <dt>{t('admin.detail.former')}</dt>
          <dd>{person.former_names.join(', ')}</dd>
        </div>
      )}
    </dl>
  )
}

/** Where they are logged in; each can be ended, or all. */
function Sessions({ person, reload }: { person: Person; reload(): Promise<void> }) {
  const t = useAccountsText()
  const api = useApi()
  const toast = useToast()
  const [ending, setEnding] = useState('')
  const nameOf = ({ browser, os }: Person['sessions'][number]) =>
    [browser, os].filter(Boolean).join(' · ') || t('admin.detail.unknown_device')

  async function end(id?: string): Promise<void> {
    setEnding(id ?? 'all')
    try {
      await api.send(accountCalls.endTheirSessions, { body: { user_id: person.user_id, ...(id !== undefined && { id }) } })
      toast({ text: t('admin.detail.ended'), tone: 'success' })
      await reload()
    } catch {
      // The call has said what is wrong.
    }
    setEnding('')
  }

  return (
    <Section
      title={t('admin.detail.sessions')}
      actions={
        person.sessions.length > 1 && (
          <Button size="small" busy={ending === 'all'} onClick={() => void end()}>
            {t('admin.detail.end_all')}
          </Button>
        )
      }
    >
      {person.sessions.length === 0 && <p>{t('admin.detail.sessions_none')}</p>}
      <ul className={styles.sessions}>
        {person.sessions.map((session) => (
          <li key={session.id}>
            <div>
              <bdi>{nameOf(session)}</bdi>
              <p>
                {session.network && <span>{session.network}</span>}
                <Time at={session.used_at} phrase={(time) => t('admin.detail.used', { time })} />
              </p>
            </div>
            <Button
              size="small"
              aria-label={t('admin.detail.end_label', { device: nameOf(session) })}
              busy={ending === session.id}
              onClick={() => void end(session.id)}
            >
              {t('admin.detail.end')}
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  )
}
