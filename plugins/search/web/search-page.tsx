import { EmptyState } from '@stoa/sdk/ui/empty'
import { Notice } from '@stoa/sdk/ui/notice'
import { PageTitle } from '@stoa/sdk/ui/page'
import { Pagination } from '@stoa/sdk/ui/pagination'
import { TabLinks } from '@stoa/sdk/ui/tabs'
import type { Head, PageModule, PageProps, PageRequest } from '@stoa/sdk/web'
import { usePlace, useText } from '@stoa/sdk/web'
import { searchCalls } from '../shared/api.ts'
import { COUNTED, DEEPEST } from '../shared/counted.ts'
import { MAX_QUERY_LENGTH } from '../shared/query-syntax.ts'
import { PageForm } from './page-form.tsx'
import type { Result } from './result-item.tsx'
import { ResultItem } from './result-item.tsx'
import { SearchHelp } from './search-help.tsx'
import styles from './search-page.module.css'
import type { Order } from './search-path.ts'
import { orderOf, orders, searchPath, snapshotPath } from './search-path.ts'

const PAGE_SIZE = 20

interface SearchData {
  q: string
  order: Order
  page: number
  count: number
  list: Result[]
  problem: 'often' | 'wrong' | null
}

export async function load({ query, site, get, redirect }: PageRequest): Promise<SearchData> {
  const asked = query.get('q')?.trim() ?? ''
  const snapshot = snapshotPath(asked, site.general?.site_url ?? '')
  if (snapshot) redirect(snapshot)
  const q = [...asked].slice(0, MAX_QUERY_LENGTH).join('')
  const order = orderOf(query.get('order'))
  const page = Math.max(1, Math.floor(Number(query.get('page'))) || 1)
  const nothing = { q, order, page, count: 0, list: [], problem: null }
  if (q === '') return nothing
  try {
    const found = await get(searchCalls.search, {
      query: { q, order, page, size: PAGE_SIZE },
    })
    return { ...nothing, count: found.count, list: found.list ?? [] }
  } catch (error) {
    const code = (error as { code?: number }).code
    if (code !== 400 && code !== 429) throw error
    return { ...nothing, problem: code === 429 ? 'often' : 'wrong' }
  }
}

export const head: NonNullable<PageModule<SearchData>['head']> = ({ q }, { t }): Head => ({
  title: q ? t('page.title_for', { q }) : t('page.title'),
  canonical: '/search',
  noindex: true,
})

/** Results with their hits marked, orders as tabs, and what can be typed. */
export default function SearchPage({ data }: PageProps<SearchData>) {
  const t = useText('search')
  const base = usePlace('search') ?? '/search'
  const { q, order, page, count, list, problem } = data
  return (
    <div className={styles.page}>
      <PageTitle
        text={q && !problem ? t(count === COUNTED || count === DEEPEST ? 'page.results_more' : 'page.results', { count }) : undefined}
      >
        {q ? t('page.title_for', { q }) : t('page.title')}
      </PageTitle>
      <PageForm path={base} q={q} always={q === ''} />
      {problem && (
        <Notice tone="warning" live>
          {t(`problem.${problem}`)}
        </Notice>
      )}
      {count > 0 && (
        <TabLinks
          label={t('order.label')}
          items={orders.map((id) => ({ label: t(`order.${id}`), to: searchPath(base, { q, order: id }), current: id === order }))}
        />
      )}
      {list.length > 0 && (
        <ol className={styles.list}>
          {list.map((result) => (
            <ResultItem key={`${result.object_type}${result.object.id}`} result={result} q={q} />
          ))}
        </ol>
      )}
      {q !== '' && !problem && list.length === 0 && <EmptyState icon="search" title={t('empty.title', { q })} text={t('empty.text')} />}
      <Pagination page={page} pageSize={PAGE_SIZE} total={count} />
      <SearchHelp base={base} open={list.length === 0} />
    </div>
  )
}
