import { Avatar } from '@stoa/sdk/ui/avatar'
import { Badge } from '@stoa/sdk/ui/badge'
import { Chip } from '@stoa/sdk/ui/chip'
import { Count } from '@stoa/sdk/ui/number'
import { PageTitle } from '@stoa/sdk/ui/page'
import { Prose } from '@stoa/sdk/ui/prose'
import { Time } from '@stoa/sdk/ui/time'
import type { Head, PageProps, PageRequest, SiteState } from '@stoa/sdk/web'
import { formatCount, Link, Slot, useLogin, useText } from '@stoa/sdk/web'
import { useEffect } from 'react'
import { accountSlots } from '../../accounts/shared/api.ts'
import { bookmarkSlots } from '../../bookmarks/shared/api.ts'
import { commentSlots, threadOf } from '../../comments/shared/api.ts'
import { followSlots } from '../../follows/shared/api.ts'
import { voteSlots } from '../../votes/shared/api.ts'
import type { ExperienceView, PostPlace } from '../shared/api.ts'
import { experienceCalls, experienceSlots, isListed, isLive } from '../shared/api.ts'
import { PostActions } from './actions.tsx'
import { chipOf, pathOf, permalinkOf } from './addresses.ts'
import { canonicalPath } from './canonical-path.ts'
import styles from './detail.module.css'
import { openedHere } from './opened-here.ts'
import type { ReadPost } from './read-post.ts'
import { PostState } from './state.tsx'

export { PostWaiting as Waiting } from './waiting.tsx'

interface Shown {
  detail: ReadPost
  /** Answer the address points at. */
  answerId: string
}

export async function load(request: PageRequest): Promise<Shown> {
  const { qid = '', slugPermalink, aid } = request.params
  // A title in an address has no dot: a file is asked for, such as a feed, that nobody offers.
  if (/\.\w+$/.test(aid ?? slugPermalink ?? '')) request.notFound()
  const { content: _, ...detail } = await request.get(experienceCalls.info, { query: { id: qid, with_comments: true }, allow404: true })
  const { path, answerId } = canonicalPath(permalinkOf(request.site), { slugPermalink, aid }, detail)
  const asked = ['/experiences', qid, slugPermalink, aid].filter(Boolean).join('/')
  if (asked !== decodeURIComponent(path)) request.redirect(`${path}${request.query.size > 0 ? `?${request.query}` : ''}`)
  return { detail, answerId }
}

export function head({ detail }: Shown, { site }: { site: SiteState }): Head {
  const base = site.general?.site_url ?? ''
  return {
    title: detail.title,
    description: detail.description,
    canonical: pathOf(site, detail),
    keywords: detail.tags.map((tag) => tag.display_name),
    noindex: !isListed(detail),
    ...pictureOf(detail.html),
    jsonLd: {
      '@context': 'https://schema.org',
      '@type': 'QAPage',
      mainEntity: {
        '@type': 'Question',
        identifier: detail.id,
        url: base + pathOf(site, detail),
        name: detail.title,
        text: detail.description,
        answerCount: detail.answer_count,
        upvoteCount: detail.vote_count,
        dateCreated: new Date(detail.create_time * 1000).toISOString(),
        author: { '@type': 'Person', name: detail.user_info.display_name, url: `${base}/users/${detail.user_info.username}` },
      },
    },
  }
}

/** The first of a post's own pictures, for where its address is shared. */
function pictureOf(html: string): Pick<Head, 'image'> {
  const image = /<img[^>]* src="(\/uploads\/[^"&]+)"/.exec(html)?.[1]
  return image ? { image } : {}
}

export default function DetailPage({ data, reload }: PageProps<Shown>) {
  const t = useText('experiences')
  const { detail, answerId } = data
  const { isLoggedIn } = useLogin()
  useEffect(() => {
    if (isLoggedIn) openedHere.add(detail.id)
  }, [isLoggedIn, detail.id])
  // Elsewhere voting, following and the like are refused.
  const live = isLive(detail)
  const score = <Count className={styles.score as string} value={detail.vote_count} label={t('detail.vote')} />
  const slot: PostPlace = { id: detail.id, authorId: detail.user_info.id, detail, answerId, reload }
  return (
    <>
      <article className={styles.post} tabIndex={-1} data-stop="" data-unlisted={detail.show === 2 || undefined}>
        <PageTitle>{detail.title}</PageTitle>
        <p className={styles.meta}>
          <Author person={detail.user_info} />
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
          {(detail.linked_count ?? 0) > 0 && (
            <Link to={`/experiences/linked/${detail.id}`}>{t('detail.linked', { count: detail.linked_count ?? 0 })}</Link>
          )}
        </p>
        <PostState detail={detail} />
        <div className={styles.columns}>
          <div className={styles.vote}>
            {live ? (
              <Slot
                of={experienceSlots.vote}
                props={slot}
                empty={
                  <Slot
                    of={voteSlots.control}
                    props={{ id: detail.id, authorId: detail.user_info.id, votes: detail.vote_count, status: detail.vote_status }}
                    empty={score}
                  />
                }
              />
            ) : (
              score
            )}
          </div>
          <div className={styles.body}>
            <Prose html={detail.html} />
            <Slot of={experienceSlots.body} props={slot} />
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
              <PostActions detail={detail} reload={reload} place={slot} live={live}>
                {live && (
                  <>
                    <Slot
                      of={followSlots.button}
                      props={{ id: detail.id, name: detail.title, count: detail.follow_count, followed: detail.is_followed }}
                    />
                    <Slot
                      of={bookmarkSlots.button}
                      props={{ id: detail.id, count: detail.collection_count, bookmarked: detail.collected }}
                    />
                    <Slot of={experienceSlots.actions} props={slot} />
                  </>
                )}
              </PostActions>
            </div>
            <Slot of={experienceSlots.footer} props={slot} />
            <Slot of={commentSlots.thread} props={{ id: detail.id, size: 'normal', ...threadOf(detail), closed: !live }} />
          </div>
        </div>
      </article>
      <Slot of={experienceSlots.answers} props={slot} />
    </>
  )
}

function Author({ person }: { person: ExperienceView['user_info'] }) {
  const t = useText('experiences')
  return (
    <>
      <span className={styles.author}>
        <Avatar name={person.display_name} src={person.avatar} size={24} />
        <Link to={`/users/${person.username}`}>
          <bdi>{person.display_name}</bdi>
        </Link>
        <Slot of={accountSlots.card} props={{ person }} />
      </span>
      <span>{t('detail.reputation', { rank: formatCount(person.rank) })}</span>
    </>
  )
}
