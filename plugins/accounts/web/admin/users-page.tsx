import type { ReplyOf } from '@stoa/sdk'
import { Avatar } from '@stoa/sdk/ui/avatar'
import { Button } from '@stoa/sdk/ui/button'
import { EmptyState } from '@stoa/sdk/ui/empty'
import { Select, Switch, TextField } from '@stoa/sdk/ui/field'
import { Menu } from '@stoa/sdk/ui/menu'
import { PageTitle } from '@stoa/sdk/ui/page'
import { Pagination } from '@stoa/sdk/ui/pagination'
import { Time } from '@stoa/sdk/ui/time'
import type { PageProps, PageRequest } from '@stoa/sdk/web'
import { Link, useNavigate } from '@stoa/sdk/web'
import type { FormEvent } from 'react'
import { useState } from 'react'
import { accountCalls } from '../../shared/api.ts'
import { useAccountsText } from '../parts/use-accounts-text.ts'
import { AddDialog } from './add-dialog.tsx'
import { StatusWords } from './status.tsx'
import { usePersonActs } from './use-person-acts.tsx'
import styles from './users-page.module.css'

const size = 20
const states = ['normal', 'inactive', 'suspended', 'deleted'] as const

interface Shown {
  people: ReplyOf<typeof accountCalls.adminPage>
  /** Empty: active people, and with a text everybody who is not deleted. */
  status: string
  staff: boolean
  text: string
  page: number
}

export async function load(request: PageRequest): Promise<Shown> {
  const status = states.find((word) => word === request.query.get('status')) ?? ''
  const staff = request.query.get('staff') === 'true'
  const text = (request.query.get('query') ?? '').trim().slice(0, 100)
  const asked = Number(request.query.get('page'))
  const page = Number.isSafeInteger(asked) && asked > 0 ? asked : 1
  const query = { page, page_size: size, ...(status && { status }), ...(staff && { staff }), ...(text && { query: text }) }
  return { people: await request.get(accountCalls.adminPage, { query }), status, staff, text, page }
}

/** Everybody with an account, and what can be done about them. */
export default function UsersPage({ data: { people, status, staff, text, page }, reload }: PageProps<Shown>) {
  const t = useAccountsText()
  const navigate = useNavigate()
  const [isAdding, setAdding] = useState(false)
  const { itemsFor, dialog } = usePersonActs(() => void reload())
  const show = (now: { status: string; staff: boolean; text: string }) => {
    const query = new URLSearchParams({
      ...(now.status && { status: now.status }),
      ...(now.staff && { staff: 'true' }),
      ...(now.text && { query: now.text }),
    })
    void navigate(`/admin/users${query.size > 0 ? `?${query}` : ''}`)
  }
  const search = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    show({ status, staff, text: String(new FormData(event.currentTarget).get('query')).trim() })
  }
  return (
    <>
      <PageTitle
        text={t('admin.purpose')}
        actions={
          <Button variant="primary" icon="user-plus" onClick={() => setAdding(true)}>
            {t('admin.add')}
          </Button>
        }
      >
        {t('admin.title')}
      </PageTitle>
      <div className={styles.filters}>
        <form method="get" action="/admin/users" onSubmit={search}>
          <TextField
            key={text}
            type="search"
            name="query"
            label={t('admin.search')}
            help={t('admin.search_help')}
            placeholder={t('admin.search_placeholder')}
            maxLength={100}
            autoComplete="off"
            defaultValue={text}
          />
        </form>
        <Select
          label={t('admin.status')}
          value={status || (text ? '' : 'normal')}
          onChange={(value) => show({ status: value, staff, text })}
          options={[
            ...(text ? [{ value: '', label: t('admin.status_all') }] : []),
            ...states.map((value) => ({ value, label: t(`admin.status_${value}`) })),
          ]}
        />
        <Switch
          className={styles.staff as string}
          label={t('admin.staff')}
          checked={staff}
          onChange={(on) => show({ status, staff: on, text })}
        />
      </div>
      {people.list.length === 0 ? (
        <EmptyState icon="users" title={t('admin.empty_title')} text={t('admin.empty_text')} />
      ) : (
        <ul className={styles.list}>
          {people.list.map((person) => {
            const items = itemsFor(person)
            return (
              <li key={person.user_id} className={styles.person}>
                <Avatar name={person.display_name} src={person.avatar} size={40} />
                <div className={styles.who}>
                  <p className={styles.name}>
                    {person.status === 'deleted' ? (
                      person.display_name
                    ) : (
                      <Link to={`/admin/users/${person.user_id}`} dir="auto">
                        {person.display_name}
                      </Link>
                    )}
                    <StatusWords {...person} />
                  </p>
                  <p className={styles.facts}>
                    <span>@{person.username}</span>
                    <span>{person.e_mail}</span>
                  </p>
                </div>
                <p className={styles.joined}>
                  <Time at={person.created_at} style="date" phrase={(time) => t('profile.joined', { time })} />
                </p>
                <div className={styles.menu}>
                  {items.length > 0 && <Menu label={t('admin.menu', { name: person.display_name })} items={items} />}
                </div>
              </li>
            )
          })}
        </ul>
      )}
      <Pagination page={page} pageSize={size} total={people.count} />
      {isAdding && <AddDialog onClose={() => setAdding(false)} onDone={() => void reload()} />}
      {dialog}
    </>
  )
}
