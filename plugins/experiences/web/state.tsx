import { Notice } from '@stoa/sdk/ui/notice'
import { Time } from '@stoa/sdk/ui/time'
import { Link, useSite, useText } from '@stoa/sdk/web'
import type { ReactNode } from 'react'
import type { ExperienceView } from '../shared/api.ts'
import { pathOf } from './addresses.ts'
import styles from './detail.module.css'
import type { ReadPost } from './read-post.ts'

const tones = { danger: 'danger', secondary: 'warning', warning: 'warning', info: 'info' } as const

/** Why the post is not simply there: what happened, when, by whom and why. */
export function PostState({ detail }: { detail: ReadPost }) {
  const t = useText('experiences')
  const { operation, unlisted } = detail
  return (
    <>
      {operation && (
        <div className={styles.state}>
          <Notice
            tone={tones[operation.level]}
            title={
              <>
                {operation.type || operation.msg}
                <Act
                  time={operation.time}
                  person={operation.user_info}
                  phrase={(time) => t(detail.status === 2 ? 'detail.closed_at' : 'detail.deleted_at', { time })}
                />
              </>
            }
          >
            {operation.description && <p>{operation.description}</p>}
            {operation.type && <Reason operation={operation} />}
          </Notice>
        </div>
      )}
      {detail.show === 2 && detail.status !== 10 && (
        <div className={styles.state}>
          <Notice
            tone="warning"
            title={
              <>
                {t('detail.unlisted')}
                {unlisted && <Act time={unlisted.time} person={unlisted.user_info} phrase={(time) => t('detail.unlisted_at', { time })} />}
              </>
            }
          >
            <p>{t('detail.unlisted_text')}</p>
          </Notice>
        </div>
      )}
    </>
  )
}

interface ActProps {
  /** Unix seconds, 0 when nobody knows. */
  time: number
  person: NonNullable<ExperienceView['operation']>['user_info']
  phrase(time: string): string
}

function Act({ time, person, phrase }: ActProps): ReactNode {
  return (
    <span className={styles.act}>
      {time > 0 && (
        <>
          {' '}
          · <Time at={time} phrase={phrase} />
        </>
      )}
      {person && <> · {person.username ? <Link to={`/users/${person.username}`}>{person.display_name}</Link> : person.display_name}</>}
    </span>
  )
}

/** The original of a duplicate by its title; else what was written, its address as a link. */
function Reason({ operation }: { operation: NonNullable<ExperienceView['operation']> }) {
  const t = useText('experiences')
  const site = useSite()
  const { original, msg } = operation
  if (original)
    return (
      <p>
        {t('detail.original')} <Link to={pathOf(site, original)}>{original.title}</Link>
      </p>
    )
  if (!msg) return null
  return <p>{/^https?:\/\//.test(msg) ? <a href={msg}>{msg}</a> : msg}</p>
}
