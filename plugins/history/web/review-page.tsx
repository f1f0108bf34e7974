import type { ReplyOf } from '@stoa/sdk'
import { Avatar } from '@stoa/sdk/ui/avatar'
import { Button } from '@stoa/sdk/ui/button'
import { EmptyState } from '@stoa/sdk/ui/empty'
import { Notice } from '@stoa/sdk/ui/notice'
import { PageTitle, Section } from '@stoa/sdk/ui/page'
import { Time } from '@stoa/sdk/ui/time'
import type { ApiError, PageProps, PageRequest } from '@stoa/sdk/web'
import { Link, useApi, useNavigate, useText, useToast } from '@stoa/sdk/web'
import { useState } from 'react'
import { historyCalls } from '../shared/api.ts'
import styles from './history.module.css'
import type { ShownText } from './texts.tsx'
import { Texts } from './texts.tsx'

type Queue = ReplyOf<typeof historyCalls.unreviewed>
type Suggestion = Queue['list'][number]

const pageIn = (query: URLSearchParams): number => {
  const page = Number(query.get('page'))
  return Number.isSafeInteger(page) && page > 0 ? page : 1
}

export async function load({ query, get }: PageRequest): Promise<Queue & { page: number }> {
  const page = pageIn(query)
  const queue = await get(historyCalls.unreviewed, { query: { page } })
  // Past the end after the last one was decided: from the beginning.
  if (queue.list.length > 0 || page === 1 || queue.count === 0) return { ...queue, page }
  return { ...(await get(historyCalls.unreviewed, { query: { page: 1 } })), page: 1 }
}

/** What is suggested, with the title that its kind calls otherwise. */
function suggested({ info, unreviewed_info }: Suggestion): ShownText {
  const content = unreviewed_info.content as { content?: string; original_text?: string; tags?: ShownText['tags'] } | null
  return {
    title: unreviewed_info.title,
    tags: content?.tags ?? info.tags ?? [],
    original_text: content?.content ?? content?.original_text ?? '',
    slug_name: '',
    fields: unreviewed_info.fields,
  }
}

/** Suggested edits, one at a time, oldest first. */
export default function ReviewPage({ data, reload }: PageProps<Queue & { page: number }>) {
  const t = useText('history')
  const [item] = data.list
  return (
    <>
      <PageTitle text={data.count > 0 ? t('review.waiting', { count: data.count }) : t('review.lead')}>{t('review.title')}</PageTitle>
      {item ? (
        <Decision key={item.unreviewed_info.id} item={item} page={data.page} count={data.count} reload={reload} />
      ) : (
        <EmptyState icon="check-circle" title={t('review.empty')} text={t('review.empty_text')} />
      )}
    </>
  )
}

function Decision({ item, page, count, reload }: { item: Suggestion; page: number; count: number; reload(): Promise<void> }) {
  const t = useText('history')
  const calls = useApi()
  const toast = useToast()
  const navigate = useNavigate()
  const [busy, setBusy] = useState<'approve' | 'reject'>()
  const [failure, setFailure] = useState('')
  const { info, unreviewed_info } = item
  const person = unreviewed_info.user_info
  const present: ShownText = { title: info.title, tags: info.tags ?? [], original_text: info.content, slug_name: '', fields: info.fields }
  const original =
    info.object_type === 'tag'
      ? `/tags/${encodeURIComponent(info.url_title)}/info`
      : `/experiences/${info.experience_id}${info.answer_id ? `/${info.url_title || '-'}/${info.answer_id}` : ''}`
  const decide = async (operation: 'approve' | 'reject') => {
    setBusy(operation)
    setFailure('')
    try {
      await calls.send(historyCalls.audit, { body: { id: unreviewed_info.id, operation }, passingError: true })
      toast({ text: t(operation === 'approve' ? 'review.approved' : 'review.rejected'), tone: 'success' })
      await reload()
    } catch (error) {
      const { msg, shown } = error as ApiError
      if (!shown) setFailure(msg)
    }
    setBusy(undefined)
  }
  return (
    <Section title={<Link to={original}>{info.title}</Link>}>
      <div className={styles.head}>
        <span className={styles.person}>
          <Avatar name={person.display_name} src={person.avatar} size={24} />
          <Link to={`/users/${person.username}`}>{person.display_name}</Link>
        </span>
        <Time at={unreviewed_info.create_at} phrase={(time) => t('review.by', { time })} />
      </div>
      <p className={styles.reason}>{unreviewed_info.reason || t('review.no_reason')}</p>
      <Texts before={present} after={suggested(item)} />
      {failure && (
        <Notice tone="danger" live>
          {failure}
        </Notice>
      )}
      <div className={styles.decide}>
        <Button variant="primary" busy={busy === 'approve'} onClick={() => void decide('approve')}>
          {t('review.approve')}
        </Button>
        <Button busy={busy === 'reject'} onClick={() => void decide('reject')}>
          {t('review.reject')}
        </Button>
        {count > 1 && (
          <Button variant="quiet" onClick={() => void navigate(`/review?page=${(page % count) + 1}`)}>
            {t('review.skip')}
          </Button>
        )}
      </div>
    </Section>
  )
}
