import { EmptyState } from '@stoa/sdk/ui/empty'
import { PageTitle } from '@stoa/sdk/ui/page'
import { Pagination } from '@stoa/sdk/ui/pagination'
import type { Head, PageProps, PageRequest, Translate } from '@stoa/sdk/web'
import { Link, useSite, useText } from '@stoa/sdk/web'
import type { ExperiencePage, ExperienceView } from '../shared/api.ts'
import { experienceCalls } from '../shared/api.ts'
import { pageNumber, pathOf } from './addresses.ts'
import ExperienceRows from './rows.tsx'

const size = 20

interface Linked {
  post: Pick<ExperienceView, 'id' | 'title' | 'url_title'>
  list: ExperiencePage
  page: number
}

export async function load(request: PageRequest): Promise<Linked> {
  const id = request.params.qid ?? ''
  const page = pageNumber(request.query)
  const post = await request.get(experienceCalls.info, { query: { id }, allow404: true })
  const list = await request.get(experienceCalls.linked, { query: { experience_id: id, page, page_size: size } })
  return { post: { id: post.id, title: post.title, url_title: post.url_title }, list, page }
}

export function head({ post }: Linked, { t }: { t: Translate }): Head {
  return { title: `${t('linked.title')} · ${post.title}`, noindex: true }
}

/** Posts that link to one. */
export default function LinkedPage({ data }: PageProps<Linked>) {
  const t = useText('experiences')
  const site = useSite()
  return (
    <>
      <PageTitle
        text={
          <>
            {t('linked.lead')} <Link to={pathOf(site, data.post)}>{data.post.title}</Link>
          </>
        }
      >
        {t('linked.title')}
      </PageTitle>
      {data.list.list.length === 0 ? (
        <EmptyState icon="link" title={t('linked.empty_title')} text={t('linked.empty_text')} />
      ) : (
        <ExperienceRows list={data.list.list} />
      )}
      <Pagination page={data.page} pageSize={size} total={data.list.count} />
    </>
  )
}
