import { ButtonLink } from '@stoa/sdk/ui/button'
import { EmptyState } from '@stoa/sdk/ui/empty'
import { PageTitle } from '@stoa/sdk/ui/page'
import { Pagination } from '@stoa/sdk/ui/pagination'
import { TabLinks } from '@stoa/sdk/ui/tabs'
import type { Head, PageProps, PageRequest, Translate } from '@stoa/sdk/web'
import { Link, Slot, useText } from '@stoa/sdk/web'
import type { ExperiencePage } from '../../experiences/shared/api.ts'
import { experienceCalls, experienceSlots } from '../../experiences/shared/api.ts'
import { followSlots } from '../../follows/shared/api.ts'
import { tagCalls } from '../shared/api.ts'
import styles from './tags.module.css'
import type { TagDetail } from './types.ts'
import { followPlace, pageNumber, tagPath } from './types.ts'

const orders = ['newest', 'active', 'hot', 'score', 'unanswered'] as const
const size = 20

interface Shown {
  tag: TagDetail
  posts: ExperiencePage
  order: (typeof orders)[number]
  page: number
}

export async function load(request: PageRequest): Promise<Shown> {
  const name = request.params.tagName ?? ''
  const tag = await request.get(tagCalls.info, { query: { name }, allow404: true })
  const search = request.query.size > 0 ? `?${request.query}` : ''
  if (tag.slug_name !== name) request.redirect(`${tagPath(tag.slug_name)}${search}`)
  const order = orders.find((candidate) => candidate === request.query.get('order')) ?? 'newest'
  const page = pageNumber(request.query)
  const posts = await request
    .get(experienceCalls.page, { query: { page, page_size: size, order, tag: tag.slug_name } })
    .catch(() => ({ count: 0, list: [] }))
  return { tag, posts, order, page }
}

export function head({ tag, order, page }: Shown, { t }: { t: Translate }): Head {
  const query = new URLSearchParams({ ...(order !== 'newest' && { order }), ...(page > 1 && { page: String(page) }) })
  return {
    title: t('tag.title', { name: tag.display_name }),
    description: tag.description,
    canonical: `${tagPath(tag.slug_name)}${query.size > 0 ? `?${query}` : ''}`,
    keywords: [tag.display_name],
  }
}

/** The experiences of a tag. */
export default function TagPage({ data }: PageProps<Shown>) {
  const t = useText('tags')
  const { tag, posts, order, page } = data
  const path = tagPath(tag.slug_name)
  const text = (
    <span className={styles.lead}>
      <span>{t('tag.count', { count: posts.count })}</span>
      {tag.description && <span>{tag.description}</span>}
      <Link to={`${path}/info`}>{t('tag.about')}</Link>
    </span>
  )
  return (
    <>
      <PageTitle text={text} actions={<Slot of={followSlots.button} props={followPlace(tag)} />}>
        {t('tag.title', { name: tag.display_name })}
      </PageTitle>
      <TabLinks
        label={t('tag.order')}
        items={orders.map((id) => ({ label: t(`tag.${id}`), to: id === 'newest' ? path : `${path}?order=${id}`, current: id === order }))}
      />
      {posts.list.length === 0 ? (
        <EmptyState
          icon="tag"
          title={t('tag.empty_title')}
          text={t('tag.empty_text')}
          action={
            <ButtonLink to="/experiences/ask" variant="primary" icon="pencil">
              {t('tag.write')}
            </ButtonLink>
          }
        />
      ) : (
        <div className={styles.rows}>
          <Slot of={experienceSlots.rows} props={{ list: posts.list }} />
          <Pagination page={page} pageSize={size} total={posts.count} />
        </div>
      )}
    </>
  )
}
