import type { ReplyOf } from '@stoa/sdk'
import { EmptyState } from '@stoa/sdk/ui/empty'
import { PageTitle } from '@stoa/sdk/ui/page'
import { Pagination } from '@stoa/sdk/ui/pagination'
import type { PageProps, PageRequest } from '@stoa/sdk/web'
import { useText } from '@stoa/sdk/web'
import { auditCalls } from '../shared/api.ts'
import { Entries } from './entries.tsx'
import type { Filters } from './filters.tsx'
import { FilterForm, isDay } from './filters.tsx'

const size = 20
const DAY = 86_400

interface Listing {
  log: ReplyOf<typeof auditCalls.page>
  actions: ReplyOf<typeof auditCalls.actions>
  filters: Filters
  page: number
}

const secondsOf = (day: string): number => Date.parse(`${day}T00:00:00`) / 1000

export async function load(request: PageRequest): Promise<Listing> {
  const given = (name: string) => (request.query.get(name) ?? '').trim().slice(0, 100)
  const day = (name: string) => (isDay(given(name)) ? given(name) : '')
  const filters: Filters = {
    actor: given('actor'),
    action: given('action'),
    query: given('query'),
    object_kind: given('object_kind').slice(0, 50),
    object_id: given('object_id'),
    since: day('since'),
    until: day('until'),
  }
  const asked = Number(request.query.get('page'))
  const page = Number.isSafeInteger(asked) && asked > 0 ? asked : 1
  const { since, until, ...words } = filters
  const query = {
    page,
    page_size: size,
    ...Object.fromEntries(Object.entries(words).filter(([, value]) => value !== '')),
    ...(since && { since: secondsOf(since) }),
    ...(until && { until: secondsOf(until) + DAY }),
  }
  const [log, actions] = await Promise.all([request.get(auditCalls.page, { query }), request.get(auditCalls.actions)])
  return { log, actions, filters, page }
}

/** What staff did, with filters. */
export default function LogPage({ data: { log, actions, filters, page } }: PageProps<Listing>) {
  const t = useText('audit')
  const isFiltered = Object.values(filters).some((value) => value !== '')
  return (
    <>
      <PageTitle text={t('purpose')}>{t('title')}</PageTitle>
      {(isFiltered || log.count > 0) && <FilterForm key={JSON.stringify(filters)} filters={filters} actions={actions} />}
      {log.list.length === 0 ? (
        <EmptyState icon="history" title={t(isFiltered ? 'none.title' : 'empty.title')} text={t(isFiltered ? 'none.text' : 'empty.text')} />
      ) : (
        <Entries entries={log.list} />
      )}
      <Pagination page={page} pageSize={size} total={log.count} />
    </>
  )
}
