import type { ReplyOf } from '@stoa/sdk'
import { ButtonLink } from '@stoa/sdk/ui/button'
import { Notice } from '@stoa/sdk/ui/notice'
import { Pagination } from '@stoa/sdk/ui/pagination'
import type { Head, PageProps, PageRequest } from '@stoa/sdk/web'
import { Slot, useText } from '@stoa/sdk/web'
import { experienceCalls, experienceSlots } from '../../experiences/shared/api.ts'
import { recommendationCalls } from '../shared/api.ts'
import styles from './recommended-page.module.css'

const size = 20

interface Shown {
  list: ReplyOf<typeof recommendationCalls.page>
  page: number
  /** What everybody reads, for who follows nothing yet. */
  isFallback: boolean
}

export async function load(request: PageRequest): Promise<Shown> {
  const asked = Number(request.query.get('page'))
  const page = Number.isSafeInteger(asked) && asked > 0 ? asked : 1
  const query = { page, page_size: size }
  const list = await request.get(recommendationCalls.page, { query })
  if (list.count > 0) return { list, page, isFallback: false }
  return { list: await request.get(experienceCalls.page, { query: { ...query, order: 'hot' }, allow404: true }), page, isFallback: true }
}

export const head = (): Head => ({ canonical: '/recommended', noindex: true })

/** The tab of the list with what suits the tags and posts that one follows. */
export default function RecommendedPage({ data: { list, page, isFallback } }: PageProps<Shown>) {
  const t = useText('recommendations')
  return (
    <>
      <Slot of={experienceSlots.listHead} props={{ count: list.count }} />
      {isFallback && (
        <div className={styles.hint}>
          <Notice
            title={t('nothing_title')}
            action={
              <ButtonLink to="/tags" size="small" icon="tags">
                {t('choose_tags')}
              </ButtonLink>
            }
          >
            <p>{t('nothing_text')}</p>
          </Notice>
        </div>
      )}
      <div className={styles.rows}>
        <Slot of={experienceSlots.rows} props={{ list: list.list }} />
        <Pagination page={page} pageSize={size} total={list.count} />
      </div>
    </>
  )
}
