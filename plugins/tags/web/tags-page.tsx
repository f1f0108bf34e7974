import { ButtonLink } from '@stoa/sdk/ui/button'
import { Chip } from '@stoa/sdk/ui/chip'
import { EmptyState } from '@stoa/sdk/ui/empty'
import { Count } from '@stoa/sdk/ui/number'
import { PageTitle } from '@stoa/sdk/ui/page'
import { Pagination } from '@stoa/sdk/ui/pagination'
import { TabLinks } from '@stoa/sdk/ui/tabs'
import type { Head, PageProps, PageRequest, Translate } from '@stoa/sdk/web'
import { useLogin, useText } from '@stoa/sdk/web'
import { tagCalls } from '../shared/api.ts'
import { chipOf } from './tag-chip.ts'
import { TagFilter } from './tag-filter.tsx'
import styles from './tags.module.css'
import type { TagItem, TagList } from './types.ts'
import { pageNumber } from './types.ts'

const orders = ['popular', 'name', 'newest'] as const
const size = 30

interface Listing {
  tags: TagList
  order: (typeof orders)[number]
  filter: string
  page: number
}

export async function load(request: PageRequest): Promise<Listing> {
  const order = orders.find((name) => name === request.query.get('order')) ?? 'popular'
  const filter = (request.query.get('name') ?? '').trim().slice(0, 35)
  const page = pageNumber(request.query)
  const query = { page, page_size: size, query_cond: order, ...(filter && { slug_name: filter }) }
  return { tags: await request.get(tagCalls.page, { query, allow404: true }), order, filter, page }
}

export function head({ page, filter }: Listing, { t }: { t: Translate }): Head {
  return {
    title: t('list.title'),
    description: t('list.lead'),
    canonical: page > 1 ? `/tags?page=${page}` : '/tags',
    noindex: filter !== '',
  }
}

/** All tags, by use, name or age. */
export default function TagsPage({ data }: PageProps<Listing>) {
  const t = useText('tags')
  const { isStaff } = useLogin()
  const { tags, order, filter, page } = data
  const address = (id: string) => {
    const query = new URLSearchParams({ ...(id !== 'popular' && { order: id }), ...(filter && { name: filter }) })
    return `/tags${query.size > 0 ? `?${query}` : ''}`
  }
  return (
    <>
      <div className={styles.head}>
        <PageTitle text={t('list.lead')}>{t('list.title')}</PageTitle>
        {isStaff && (
          <ButtonLink to="/tags/create" icon="plus" className={styles.create}>
            {t('list.create')}
          </ButtonLink>
        )}
      </div>
      <div className={styles.tools}>
        <TabLinks
          className={styles.orders as string}
          label={t('list.order')}
          items={orders.map((id) => ({ label: t(`list.${id}`), to: address(id), current: id === order }))}
        />
        <TagFilter order={order} value={filter} />
      </div>
      {tags.list.length === 0 ? (
        <EmptyState
          icon="tags"
          title={t(filter ? 'list.unknown_title' : 'list.empty_title')}
          text={t(filter ? 'list.unknown_text' : 'list.empty_text')}
        />
      ) : (
        <ul className={styles.grid}>
          {tags.list.map((tag) => (
            <Card key={tag.tag_id} tag={tag} />
          ))}
        </ul>
      )}
      <Pagination page={page} pageSize={size} total={tags.count} />
    </>
  )
}

function Card({ tag }: { tag: TagItem }) {
  const t = useText('tags')
  return (
    <li className={styles.card}>
      <p className={styles.name}>
        <Chip {...chipOf(tag)} />
        <Count className={styles.count as string} value={tag.experience_count} label={t('list.count', { count: tag.experience_count })} />
      </p>
      {tag.description && <p className={styles.description}>{tag.description}</p>}
    </li>
  )
}
