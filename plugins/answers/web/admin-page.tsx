import type { ReplyOf } from '@stoa/sdk'
import { Badge } from '@stoa/sdk/ui/badge'
import { Button } from '@stoa/sdk/ui/button'
import { ChoiceRows, useRowWork } from '@stoa/sdk/ui/choice-rows'
import { EmptyState } from '@stoa/sdk/ui/empty'
import { TextField } from '@stoa/sdk/ui/field'
import { Count } from '@stoa/sdk/ui/number'
import { PageTitle } from '@stoa/sdk/ui/page'
import { Pagination } from '@stoa/sdk/ui/pagination'
import { TabLinks } from '@stoa/sdk/ui/tabs'
import { Time } from '@stoa/sdk/ui/time'
import type { PageProps, PageRequest } from '@stoa/sdk/web'
import { Link, useNavigate, useSite, useText } from '@stoa/sdk/web'
import type { FormEvent } from 'react'
import { experiencePath } from '../../experiences/shared/api.ts'
import { answerCalls } from '../shared/api.ts'
import styles from './admin-page.module.css'
import { useAdminActs } from './use-admin-acts.ts'

const size = 20
const ACCEPTED = 2
const states = ['normal', 'deleted', 'pending'] as const

interface Filters {
  status: (typeof states)[number]
  query: string
  /** Public id of the post whose answers these are, or empty. */
  experience: string
}

interface Listing extends Filters {
  answers: ReplyOf<typeof answerCalls.adminPage>
  page: number
}

export async function load(request: PageRequest): Promise<Listing> {
  const given = (name: string) => (request.query.get(name) ?? '').trim()
  const status = states.find((word) => word === given('status')) ?? 'normal'
  const words = given('query').slice(0, 100)
  const experience = given('experience_id').slice(0, 24)
  const asked = Number(given('page'))
  const page = Number.isSafeInteger(asked) && asked > 0 ? asked : 1
  const query = { page, page_size: size, status, ...(words && { query: words }), ...(experience && { experience_id: experience }) }
  return { answers: await request.get(answerCalls.adminPage, { query }), status, query: words, experience, page }
}

function addressOf({ status, query, experience }: Filters): string {
  const wanted = { ...(status !== 'normal' && { status }), ...(query && { query }), ...(experience && { experience_id: experience }) }
  const search = new URLSearchParams(wanted)
  return `/admin/answers${search.size > 0 ? `?${search}` : ''}`
}

/** Every answer by state, with what staff do to one or several of them. */
export default function AdminAnswersPage({ data: { answers, page, ...filters }, reload }: PageProps<Listing>) {
  const t = useText('answers')
  const navigate = useNavigate()
  const work = useRowWork<Row>()
  const { acts, emptyBin } = useAdminActs({ isBin: filters.status === 'deleted', work, reload })
  const search = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    void navigate(addressOf({ ...filters, query: String(new FormData(event.currentTarget).get('query')).trim() }))
  }
  return (
    <>
      <PageTitle text={t('admin.purpose')}>{t('admin.title')}</PageTitle>
      <TabLinks
        label={t('admin.status')}
        items={states.map((status) => ({
          to: addressOf({ ...filters, status }),
          label: t(`admin.state.${status}`),
          current: status === filters.status,
        }))}
      />
      <search>
        <form method="get" action="/admin/answers" className={styles.search} onSubmit={search}>
          {filters.status !== 'normal' && <input type="hidden" name="status" value={filters.status} />}
          {filters.experience && <input type="hidden" name="experience_id" value={filters.experience} />}
          <TextField
            key={filters.query}
            label={t('admin.search')}
            help={t('admin.search_help')}
            type="search"
            name="query"
            maxLength={100}
            autoComplete="off"
            defaultValue={filters.query}
          />
        </form>
      </search>
      <div className={styles.head}>
        <p>
          {t('admin.count', { count: answers.count })}
          {filters.experience && (
            <>
              {' '}
              {t('admin.one_post')} <Link to={addressOf({ ...filters, experience: '' })}>{t('admin.all_posts')}</Link>
            </>
          )}
        </p>
        {filters.status === 'deleted' && answers.count > 0 && filters.query === '' && filters.experience === '' && (
          <Button size="small" variant="quiet" icon="trash" onClick={() => void emptyBin()}>
            {t('admin.purge_all')}
          </Button>
        )}
      </div>
      {answers.list.length === 0 && work.refused.length === 0 ? (
        <EmptyState icon="message" title={t('admin.empty_title')} text={t('admin.empty_text')} />
      ) : (
        <ChoiceRows
          key={`${filters.status} ${page} ${filters.query}`}
          label={t('admin.title')}
          rows={answers.list}
          keyOf={({ id }) => id}
          nameOf={nameOf}
          acts={acts}
          work={work}
        >
          {(row) => <Facts row={row} />}
        </ChoiceRows>
      )}
      <Pagination page={page} pageSize={size} total={answers.count} />
    </>
  )
}

type Row = Listing['answers']['list'][number]

const nameOf = ({ description }: Row): string => (description.length > 60 ? `${description.slice(0, 60)}…` : description)

function Facts({ row }: { row: Row }) {
  const t = useText('answers')
  const site = useSite()
  const permalink = Number(site.site_seo?.permalink) || 1
  const { user_info: author, experience_info: post } = row
  return (
    <>
      <p className={styles.title}>
        <Link to={experiencePath(permalink, { id: row.experience_id, url_title: post.url_title }, row.id)} dir="auto">
          {post.title}
        </Link>
        {row.accepted === ACCEPTED && (
          <Badge tone="success" icon="check">
            {t('accepted')}
          </Badge>
        )}
      </p>
      <p dir="auto" className={styles.excerpt}>
        {row.description}
      </p>
      <p className={styles.facts}>
        <bdi>{author.username ? <Link to={`/users/${author.username}`}>{author.display_name}</Link> : author.display_name}</bdi>
        <Time at={row.create_time} phrase={(time) => t('answered', { time })} />
        {row.update_time > row.create_time && <Time at={row.update_time} phrase={(time) => t('edited', { time })} />}
        <span>
          <Count value={row.vote_count} /> {t('admin.votes', { count: row.vote_count })}
        </span>
      </p>
    </>
  )
}
