import { Badge } from '@stoa/sdk/ui/badge'
import { Button } from '@stoa/sdk/ui/button'
import { ChoiceRows, useRowWork } from '@stoa/sdk/ui/choice-rows'
import { EmptyState } from '@stoa/sdk/ui/empty'
import { TextField } from '@stoa/sdk/ui/field'
import { Count } from '@stoa/sdk/ui/number'
import { PageTitle } from '@stoa/sdk/ui/page'
import { Pagination } from '@stoa/sdk/ui/pagination'
import { Skeleton } from '@stoa/sdk/ui/skeleton'
import { TabLinks } from '@stoa/sdk/ui/tabs'
import { Time } from '@stoa/sdk/ui/time'
import type { PageProps, PageRequest } from '@stoa/sdk/web'
import { Link, Slot, useNavigate, useSite, useText } from '@stoa/sdk/web'
import type { FormEvent } from 'react'
import { experienceCalls, experienceSlots } from '../shared/api.ts'
import { pageNumber, pathOf } from './addresses.ts'
import styles from './admin-page.module.css'
import type { AdminPosts, AdminRow, AdminState } from './use-admin-acts.tsx'
import { adminStates, useAdminActs } from './use-admin-acts.tsx'

const size = 20
const PINNED = 2
const UNLISTED = 2

interface Listing {
  posts: AdminPosts
  status: AdminState
  query: string
  page: number
}

export async function load(request: PageRequest): Promise<Listing> {
  const status = adminStates.find((word) => word === request.query.get('status')) ?? 'normal'
  const words = (request.query.get('query') ?? '').trim().slice(0, 100)
  const page = pageNumber(request.query)
  const query = { page, page_size: size, status, ...(words && { query: words }) }
  return { posts: await request.get(experienceCalls.adminPage, { query }), status, query: words, page }
}

const addressOf = (status: string, query: string) =>
  `/admin/experiences?${new URLSearchParams({ ...(status !== 'normal' && { status }), ...(query && { query }) })}`.replace(/\?$/, '')

/** Every post by state, with what staff do to one or several of them. */
export default function AdminExperiencesPage({ data: { posts, status, query, page }, reload }: PageProps<Listing>) {
  const t = useText('experiences')
  const navigate = useNavigate()
  const work = useRowWork<AdminRow>()
  const { acts, emptyBin, dialogs } = useAdminActs({ status, work, reload })
  const search = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    void navigate(addressOf(status, String(new FormData(event.currentTarget).get('query')).trim()))
  }
  return (
    <>
      <PageTitle text={t('admin.purpose')}>{t('admin.title')}</PageTitle>
      <TabLinks
        label={t('admin.status')}
        items={adminStates.map((state) => ({ to: addressOf(state, query), label: t(`admin.state.${state}`), current: state === status }))}
      />
      <search>
        <form method="get" action="/admin/experiences" className={styles.search} onSubmit={search}>
          {status !== 'normal' && <input type="hidden" name="status" value={status} />}
          <TextField
            key={query}
            label={t('admin.search')}
            help={t('admin.search_help')}
            type="search"
            name="query"
            maxLength={100}
            autoComplete="off"
            defaultValue={query}
          />
        </form>
      </search>
      <div className={styles.head}>
        <p>{t('admin.count', { count: posts.count })}</p>
        {status === 'deleted' && posts.count > 0 && query === '' && (
          <Button size="small" variant="quiet" icon="trash" onClick={() => void emptyBin()}>
            {t('admin.purge_all')}
          </Button>
        )}
      </div>
      {posts.list.length === 0 && work.refused.length === 0 ? (
        <EmptyState icon="list" title={t('admin.empty_title')} text={t('admin.empty_text')} />
      ) : (
        <ChoiceRows
          key={`${status} ${page} ${query}`}
          label={t('admin.title')}
          rows={posts.list}
          keyOf={({ id }) => id}
          nameOf={({ title }) => title}
          acts={acts}
          work={work}
        >
          {(row) => <Facts row={row} />}
        </ChoiceRows>
      )}
      <Pagination page={page} pageSize={size} total={posts.count} />
      {dialogs}
    </>
  )
}

function Facts({ row }: { row: AdminRow }) {
  const t = useText('experiences')
  const site = useSite()
  const { user_info: author } = row
  return (
    <>
      <p className={styles.title}>
        <Link to={pathOf(site, row)} dir="auto">
          {row.title}
        </Link>
        {row.pin === PINNED && <Badge icon="pin">{t('list.pinned')}</Badge>}
        {row.show === UNLISTED && <Badge icon="eye-off">{t('admin.unlisted')}</Badge>}
      </p>
      <p className={styles.facts}>
        <bdi>{author.username ? <Link to={`/users/${author.username}`}>{author.display_name}</Link> : author.display_name}</bdi>
        <Time at={row.create_time} phrase={(time) => t('admin.posted', { time })} />
        {row.edit_time > row.create_time && <Time at={row.edit_time} phrase={(time) => t('admin.edited', { time })} />}
        <span>
          <Count value={row.vote_count} /> {t('admin.votes', { count: row.vote_count })}
        </span>
        <Slot of={experienceSlots.adminFacts} props={{ row }} waiting={<Skeleton className={styles.coming} />} />
      </p>
    </>
  )
}
