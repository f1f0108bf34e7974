import { Pagination } from '@stoa/sdk/ui/pagination'
import type { Head, PageProps, PageRequest, Translate } from '@stoa/sdk/web'
import { Slot } from '@stoa/sdk/web'
import type { ExperiencePage } from '../shared/api.ts'
import { experienceCalls, experienceSlots } from '../shared/api.ts'
import { pageNumber } from './addresses.ts'
import { EmptyList } from './empty-list.tsx'
import styles from './list.module.css'
import type { Order } from './list-head.tsx'
import { ListHead, orders } from './list-head.tsx'
import ExperienceRows from './rows.tsx'

export { ListWaiting as Waiting } from './waiting.tsx'

const size = 20

interface Listing {
  list: ExperiencePage
  order: Order
  page: number
}

export async function load(request: PageRequest): Promise<Listing> {
  const order = orders.find((name) => name === request.query.get('order')) ?? 'newest'
  const page = pageNumber(request.query)
  const list = await request.get(experienceCalls.page, { query: { page, page_size: size, order }, allow404: true })
  return { list, order, page }
}

export function head({ order, page }: Listing, { t }: { t: Translate }): Head {
  const query = new URLSearchParams({ ...(order !== 'newest' && { order }), ...(page > 1 && { page: String(page) }) })
  return {
    title: page > 1 ? t('list.page_title', { page }) : t('list.title'),
    canonical: `/experiences${query.size > 0 ? `?${query}` : ''}`,
  }
}

export default function ListPage({ data: { list, order, page } }: PageProps<Listing>) {
  return (
    <>
      <ListHead count={list.count} order={order} />
      <Slot of={experienceSlots.listBefore} />
      {list.list.length === 0 ? (
        <EmptyList order={order} />
      ) : (
        <div className={styles.list}>
          <ExperienceRows list={list.list} />
          <Pagination page={page} pageSize={size} total={list.count} />
        </div>
      )}
    </>
  )
}
