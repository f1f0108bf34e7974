import { decodeId } from '@stoa/sdk'
import { Avatar } from '@stoa/sdk/ui/avatar'
import { Badge } from '@stoa/sdk/ui/badge'
import { Chip } from '@stoa/sdk/ui/chip'
import { Notice } from '@stoa/sdk/ui/notice'
import { Count } from '@stoa/sdk/ui/number'
import { PageTitle } from '@stoa/sdk/ui/page'
import { Prose } from '@stoa/sdk/ui/prose'
import { Time } from '@stoa/sdk/ui/time'
import type { Head, PageProps, PageRequest, SiteState } from '@stoa/sdk/web'
import { Link, Slot, useText } from '@stoa/sdk/web'
import { commentSlots } from '../../comments/shared/api.ts'
import { voteSlots } from '../../votes/shared/api.ts'
import type { ExperienceView, PostPlace } from '../shared/api.ts'
import { experienceCalls, experienceSlots, postKinds } from '../shared/api.ts'
import { PostActions } from './actions.tsx'
import { chipOf, pathOf } from './addresses.ts'
import styles from './detail.module.css'

interface Shown {
  detail: ExperienceView
  /** Answer the address points at. */
  answerId: string
}

export async function load(request: PageRequest): Promise<Shown> {
  const { qid = '', slugPermalink, aid } = request.params
  const detail = await request.get(experienceCalls.info, { query: { id: qid }, allow404: true })
  // Under permalinks 2 and 4 an answer's id stands where the title stands otherwise.
  const isAnswer = slugPermalink !== undefined && decodeId(slugPermalink)?.kind === postKinds.answer
  const answerId = aid ?? (isAnswer ? slugPermalink : undefined)
  const asked = ['/experiences', qid, slugPermalink, aid].filter(Boolean).join('/')
  const canonical = pathOf(request.site, detail, answerId)
  if (asked !== decodeURIComponent(canonical)) request.redirect(`${canonical}${request.query.size > 0 ? `?${request.query}` : ''}`)
  return { detail, answerId: answerId ?? '' }
}

export function head({ detail }: Shown, { site }: { site: SiteState }): Head {
  const isListed = detail.show === 1 && (detail.status === 1 || detail.status === 2)
  return {
    title: detail.title,
    description: detail.description,
    canonical: pathOf(site, detail),
    keywords: detail.tags.map((tag) => tag.display_name),
    noindex: !isListed,
    jsonLd: {
      '@context': 'https://schema.org',
      '@type': 'QAPage',
      mainEntity: {
        '@type': 'Question',
        name: detail.title,
        text: detail.description,
        answerCount: detail.answer_count,
        upvoteCount: detail.vote_count,
        dateCreated: new Date(detail.create_time * 1000).toISOString(),
        author: { '@type': 'Person', name: detail.user_info.display_name, url: `/users/${detail.user_info.username}` },
      },
    },
  }
}

export default function DetailPage({ data, reload }: PageProps<Shown>) {
  const t = useText('experiences')
  const { detail, answerId } = data
  const slot: PostPlace = { id: detail.id, authorId: detail.user_info.id, detail, answerId, reload }
  return (
    <>
      <article className={styles.post} data-unlisted={detail.show === 2 || undefined}>
        <PageTitle>{detail.title}</PageTitle>
        <p className={styles.meta}>
          {detail.pin === 2 && (
            <Badge tone="accent" icon="pin">
              {t('detail.pinned')}
            </Badge>
          )}
          {detail.show === 2 && (
            <Badge tone="warning" icon="eye-off">
              {t('detail.unlisted')}
            </Badge>
          )}
          <span>
            <Time at={detail.create_time} phrase={(time) => t('detail.asked', { time })} />
          </span>
          {detail.edit_time > 0 && (
            <span>
              <Time at={detail.edit_time} phrase={(time) => t('detail.edited', { time })} />
            </span>
          )}
          <span>{t('detail.viewed', { count: detail.view_count })}</span>
        </p>
        <State detail={detail} />
        <div className={styles.columns}>
          <div className={styles.vote}>
            <Slot
              of={experienceSlots.vote}
              props={slot}
              empty={
                <Slot
                  of={voteSlots.control}
                  props={{ id: detail.id, authorId: detail.user_info.id, votes: detail.vote_count, status: detail.vote_status }}
                  empty={<Count className={styles.score as string} value={detail.vote_count} label={t('detail.vote')} />}
                />
              }
            />
          </div>
          <div className={styles.body}>
            <Prose html={detail.html} />
            {detail.tags.length > 0 && (
              <ul className={styles.tags}>
                {detail.tags.map((tag) => (
                  <li key={tag.slug_name}>
                    <Chip {...chipOf(tag)} />
                  </li>
                ))}
              </ul>
            )}
            <div className={styles.foot}>
              <PostActions detail={detail} reload={reload}>
                <Slot of={experienceSlots.actions} props={slot} />
              </PostActions>
              <Author detail={detail} />
            </div>
            <Slot of={experienceSlots.footer} props={slot} />
            <Slot of={commentSlots.thread} props={{ id: detail.id, size: 'normal' }} />
          </div>
        </div>
      </article>
      <Slot of={experienceSlots.answers} props={slot} />
    </>
  )
}

function Author({ detail }: { detail: ExperienceView }) {
  const person = detail.user_info
  return (
    <p className={styles.author}>
      <Avatar name={person.display_name} src={person.avatar} size={32} />
      <span>
        <Link to={`/users/${person.username}`}>{person.display_name}</Link>
        <span className={styles.rank}>
          <Count value={person.rank} />
        </span>
      </span>
    </p>
  )
}

/** Why the post is not simply there: closed, deleted, waiting, unlisted. */
function State({ detail }: { detail: ExperienceView }) {
  const t = useText('experiences')
  const { operation } = detail
  if (operation) {
    const tone = operation.level === 'danger' ? 'danger' : operation.level === 'secondary' ? 'warning' : 'info'
    const isAddress = /^https?:\/\//.test(operation.msg)
    return (
      <div className={styles.state}>
        <Notice
          tone={tone}
          title={
            <>
              {operation.type || operation.msg}
              {operation.time > 0 && detail.status === 2 && (
                <>
                  {' '}
                  · <Time at={operation.time} phrase={(time) => t('detail.closed_at', { time })} />
                </>
              )}
            </>
          }
        >
          {operation.description && <p>{operation.description}</p>}
          {operation.type && operation.msg && <p>{isAddress ? <a href={operation.msg}>{operation.msg}</a> : operation.msg}</p>}
        </Notice>
      </div>
    )
  }
  if (detail.show === 2)
    return (
      <div className={styles.state}>
        <Notice tone="warning">
          <p>{t('detail.unlisted_text')}</p>
        </Notice>
      </div>
    )
  return null
}
