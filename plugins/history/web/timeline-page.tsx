import type { ReplyOf } from '@stoa/sdk'
import { Avatar } from '@stoa/sdk/ui/avatar'
import { Badge } from '@stoa/sdk/ui/badge'
import { Button, ButtonLink } from '@stoa/sdk/ui/button'
import { Switch } from '@stoa/sdk/ui/field'
import { Notice } from '@stoa/sdk/ui/notice'
import { PageTitle } from '@stoa/sdk/ui/page'
import { Prose } from '@stoa/sdk/ui/prose'
import { Time } from '@stoa/sdk/ui/time'
import type { Head, PageProps, PageRequest, Translate } from '@stoa/sdk/web'
import { Link, useApi, useSearchParams, useText } from '@stoa/sdk/web'
import { useState } from 'react'
import { historyCalls } from '../shared/api.ts'
import styles from './history.module.css'
import { Texts } from './texts.tsx'

type Timeline = ReplyOf<typeof historyCalls.timeline>
type Line = Timeline['timeline'][number]
type Detail = ReplyOf<typeof historyCalls.detail>

export async function load({ params, query, get }: PageRequest): Promise<Timeline> {
  const object_id = params.aid ?? params.qid ?? params.tid ?? ''
  return get(historyCalls.timeline, { query: { object_id, show_vote: query.get('votes') === '1' }, allow404: true })
}

export const head = ({ object_info }: Timeline, { t }: { t: Translate }): Head => ({
  title: t('timeline.of', { title: object_info.title }),
  noindex: true,
})

/** Where the object itself is shown. */
function pathOf({ object_type, experience_id, answer_id, url_title }: Timeline['object_info']): string {
  if (object_type === 'tag') return `/tags/${encodeURIComponent(url_title)}/info`
  return `/experiences/${experience_id}${answer_id ? `/${url_title || '-'}/${answer_id}` : ''}`
}

/** What happened to a post, an answer or a tag: who, when, why, and what changed. */
export default function TimelinePage({ data }: PageProps<Timeline>) {
  const t = useText('history')
  const [query, setQuery] = useSearchParams()
  const { object_info, timeline } = data
  return (
    <>
      <PageTitle
        text={
          <>
            {object_info.answer_id && `${t('timeline.answer')} · `}
            <Link to={pathOf(object_info)}>{object_info.title}</Link>
          </>
        }
        actions={<ButtonLink to={pathOf(object_info)}>{t('timeline.back')}</ButtonLink>}
      >
        {t('timeline.title')}
      </PageTitle>
      {object_info.object_type !== 'tag' && (
        <Switch
          label={t('timeline.votes')}
          checked={query.get('votes') === '1'}
          onChange={(votes) => setQuery(votes ? { votes: '1' } : {}, { replace: true })}
        />
      )}
      <ol className={styles.list} aria-label={t('timeline.list')}>
        {timeline.map((line, index) => (
          <TimelineLine key={line.activity_id} line={line} older={olderRevision(timeline, index)} of={object_info} />
        ))}
      </ol>
    </>
  )
}

/** The revision of the same object before that of a line; `0` for the first. */
function olderRevision(timeline: readonly Line[], index: number): string {
  const { object_id } = timeline[index] as Line
  return timeline.slice(index + 1).find((line) => line.object_id === object_id && line.revision_id !== '0')?.revision_id ?? '0'
}

function TimelineLine({ line, older, of }: { line: Line; older: string; of: Timeline['object_info'] }) {
  const t = useText('history')
  const calls = useApi()
  const [detail, setDetail] = useState<Detail | 'closed' | 'busy' | 'failed'>('closed')
  const { user_info: person } = line
  const open = async () => {
    setDetail('busy')
    try {
      const query = { new_revision_id: line.revision_id, old_revision_id: older }
      setDetail(await calls.send(historyCalls.detail, { query, passingError: true, ignoreServerError: true }))
    } catch {
      setDetail('failed')
    }
  }
  const isOpen = typeof detail === 'object'
  return (
    <li className={line.cancelled ? `${styles.line} ${styles.cancelled}` : styles.line}>
      <div className={styles.head}>
        <span className={styles.person}>
          <Avatar name={person.display_name} src={person.avatar} size={24} />
          {person.username ? <Link to={`/users/${person.username}`}>{person.display_name}</Link> : person.display_name}
        </span>
        <span className={styles.what}>{t(`timeline.type.${line.activity_type}`)}</span>
        {line.object_type === 'answer' && !of.answer_id && line.activity_type !== 'answered' && <Badge>{t('timeline.answer')}</Badge>}
        <Time at={line.created_at} />
        {line.cancelled && <Time at={line.cancelled_at} phrase={(time) => t('timeline.taken_back', { time })} />}
        {line.revision_id !== '0' && (
          <Button
            variant="quiet"
            size="small"
            aria-expanded={isOpen}
            busy={detail === 'busy'}
            onClick={() => (isOpen ? setDetail('closed') : void open())}
          >
            {t(isOpen ? 'timeline.hide' : older === '0' ? 'timeline.first' : 'timeline.show')}
          </Button>
        )}
      </div>
      {line.comment && <Prose html={line.comment} size="small" />}
      {detail === 'failed' && (
        <Notice tone="danger" live>
          {t('timeline.failed')}
        </Notice>
      )}
      {isOpen && detail.new_revision && <Texts before={detail.old_revision} after={detail.new_revision} />}
    </li>
  )
}
