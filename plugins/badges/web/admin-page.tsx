import type { ReplyOf } from '@stoa/sdk'
import { EmptyState } from '@stoa/sdk/ui/empty'
import { Select, Switch, TextField } from '@stoa/sdk/ui/field'
import { Count } from '@stoa/sdk/ui/number'
import { PageTitle } from '@stoa/sdk/ui/page'
import { Pagination } from '@stoa/sdk/ui/pagination'
import { Table } from '@stoa/sdk/ui/table'
import type { PageProps, PageRequest } from '@stoa/sdk/web'
import { Link, useApi, useNavigate, useText, useToast } from '@stoa/sdk/web'
import type { FormEvent } from 'react'
import { useState } from 'react'
import { badgeCalls } from '../shared/api.ts'
import styles from './admin-page.module.css'
import { Medal } from './medal.tsx'

const size = 20
const states = ['active', 'inactive'] as const

type Badges = ReplyOf<typeof badgeCalls.adminPage>
type Badge = Badges['list'][number]

interface Listing {
  badges: Badges
  status: string
  q: string
  page: number
}

export async function load(request: PageRequest): Promise<Listing> {
  const status = states.find((word) => word === request.query.get('status'))
  const q = (request.query.get('q') ?? '').trim().slice(0, 100)
  const asked = Number(request.query.get('page'))
  const page = Number.isSafeInteger(asked) && asked > 0 ? asked : 1
  const query = { page, page_size: size, ...(status && { status }), ...(q && { q }) }
  return { badges: await request.get(badgeCalls.adminPage, { query }), status: status ?? '', q, page }
}

/** All badges with a switch for each. */
export default function AdminBadgesPage({ data: { badges, status, q, page } }: PageProps<Listing>) {
  const t = useText('badges')
  const navigate = useNavigate()
  const show = (now: { status: string; q: string }) => {
    const query = new URLSearchParams({ ...(now.status && { status: now.status }), ...(now.q && { q: now.q }) })
    void navigate(`/admin/badges${query.size > 0 ? `?${query}` : ''}`)
  }
  const search = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    show({ status, q: String(new FormData(event.currentTarget).get('q')).trim() })
  }
  return (
    <>
      <PageTitle text={t('admin.purpose')}>{t('admin.title')}</PageTitle>
      <div className={styles.filters}>
        <form method="get" action="/admin/badges" onSubmit={search}>
          <TextField key={q} label={t('admin.search')} type="search" name="q" maxLength={100} autoComplete="off" defaultValue={q} />
        </form>
        <Select
          label={t('admin.status')}
          value={status}
          onChange={(value) => show({ status: value, q })}
          options={[{ value: '', label: t('admin.status_all') }, ...states.map((value) => ({ value, label: t(`admin.status_${value}`) }))]}
        />
      </div>
      <Table
        caption={t('admin.title')}
        rows={badges.list}
        rowKey={({ id }) => id}
        empty={<EmptyState icon="award" title={t('admin.empty_title')} text={t('admin.empty_text')} />}
        columns={[
          { key: 'badge', label: t('admin.badge'), header: true, render: (badge) => <About badge={badge} /> },
          {
            key: 'awards',
            label: t('admin.awards'),
            align: 'end',
            narrow: true,
            render: ({ award_count }) => <Count value={award_count} />,
          },
          { key: 'on', label: t('admin.on'), narrow: true, render: (badge) => <State key={`${badge.id} ${badge.status}`} badge={badge} /> },
        ]}
      />
      <Pagination page={page} pageSize={size} total={badges.count} />
    </>
  )
}

function About({ badge }: { badge: Badge }) {
  const t = useText('badges')
  return (
    <div className={styles.badge}>
      <Medal icon={badge.icon} level={badge.level} />
      <div>
        <p>{badge.status === 'active' ? <Link to={`/badges/${badge.id}`}>{badge.name}</Link> : badge.name}</p>
        <p className={styles.description}>
          {t(`level.${badge.level}`)} · {badge.group_name}
        </p>
        <p className={styles.description}>{badge.description}</p>
      </div>
    </div>
  )
}

/** On or off at once; back to what it was when that is refused. */
function State({ badge }: { badge: Badge }) {
  const t = useText('badges')
  const api = useApi()
  const toast = useToast()
  const [isOn, setOn] = useState(badge.status === 'active')
  const [busy, setBusy] = useState(false)

  async function change(on: boolean): Promise<void> {
    setOn(on)
    setBusy(true)
    try {
      await api.send(badgeCalls.setStatus, { body: { id: badge.id, status: on ? 'active' : 'inactive' } })
      toast({ tone: 'success', text: t(on ? 'admin.switched_on' : 'admin.switched_off', { name: badge.name }) })
    } catch {
      setOn(!on)
    }
    setBusy(false)
  }

  return (
    <Switch hideLabel label={t('admin.switch', { name: badge.name })} checked={isOn} disabled={busy} onChange={(on) => void change(on)} />
  )
}
