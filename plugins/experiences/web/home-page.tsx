import { ButtonLink } from '@stoa/sdk/ui/button'
import { PageTitle } from '@stoa/sdk/ui/page'
import type { Head, PageProps, PageRequest, SiteState } from '@stoa/sdk/web'
import { Slot, useSite, useText } from '@stoa/sdk/web'
import type { ExperiencePage } from '../shared/api.ts'
import { experienceCalls, experienceSlots } from '../shared/api.ts'
import { EmptyList } from './empty-list.tsx'
import styles from './list.module.css'
import ExperienceRows from './rows.tsx'

interface Home {
  list: ExperiencePage
  isHot: boolean
}

/** What is hot this week; the newest where that window is empty. */
export async function load(request: PageRequest): Promise<Home> {
  const hot = await request.get(experienceCalls.page, { query: { page: 1, page_size: 6, order: 'hot', in_days: 7 } })
  if (hot.list.length > 0) return { list: hot, isHot: true }
  return { list: await request.get(experienceCalls.page, { query: { page: 1, page_size: 6, order: 'newest' } }), isHot: false }
}

export function head(_data: Home, { site }: { site: SiteState }): Head {
  return {
    title: site.general?.name ?? '',
    description: site.general?.description || site.general?.short_description || '',
    canonical: '/',
  }
}

export default function HomePage({ data }: PageProps<Home>) {
  const t = useText('experiences')
  const site = useSite()
  return (
    <>
      <PageTitle text={site.general?.short_description || t('home.welcome')}>{t(data.isHot ? 'home.hot' : 'home.newest')}</PageTitle>
      <Slot of={experienceSlots.listBefore} />
      {data.list.list.length === 0 ? (
        <EmptyList />
      ) : (
        <>
          <ExperienceRows list={data.list.list} />
          <p className={styles.more}>
            <ButtonLink to="/experiences" icon="arrow-right">
              {t('home.all')}
            </ButtonLink>
          </p>
        </>
      )}
    </>
  )
}
