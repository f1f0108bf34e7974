import type { ReplyOf } from '@stoa/sdk'
import { Badge } from '@stoa/sdk/ui/badge'
import { Chip } from '@stoa/sdk/ui/chip'
import { Time } from '@stoa/sdk/ui/time'
import { Link, useSite, useText } from '@stoa/sdk/web'
import type { searchCalls } from '../shared/api.ts'
import { highlight, nearFirstHit } from './highlight.ts'
import styles from './search-page.module.css'
import { postPath } from './search-path.ts'
import { chipOf } from './tag-chip.ts'

/** Item of `GET search`. */
export type Result = ReplyOf<typeof searchCalls.search>['list'][number]

export function ResultItem({ result: { object_type, object }, q }: { result: Result; q: string }) {
  const t = useText('search')
  const site = useSite()
  const permalink = site.site_seo?.permalink ?? site.general?.permalink ?? 1
  const isAnswer = object_type === 'answer'
  const { user_info: author } = object
  return (
    <li className={styles.item}>
      <h2 className={styles.title} dir="auto">
        {isAnswer && (
          <span className={styles.kind}>
            <Badge>{t('page.answer')}</Badge>
          </span>
        )}
        <Link to={postPath(permalink, object)} data-stop="">
          <Marked text={object.title} q={q} />
        </Link>
      </h2>
      <p className={styles.excerpt} dir="auto">
        <Marked text={nearFirstHit(object.excerpt, q)} q={q} />
      </p>
      <div className={styles.meta}>
        {object.tags?.map((tag) => (
          <Chip key={tag.slug_name} {...chipOf(tag)} />
        ))}
        {author.status === 'deleted' || !author.username ? (
          <bdi>{author.display_name}</bdi>
        ) : (
          <Link to={`/users/${author.username}`} className={styles.author}>
            <bdi>{author.display_name}</bdi>
          </Link>
        )}
        <Time at={object.created_at} />
        <span>{t('page.votes', { count: object.vote_count })}</span>
        {!isAnswer && <span>{t('page.answers', { count: object.answer_count })}</span>}
        {object.accepted && (
          <Badge tone="success" icon="check">
            {t('page.accepted')}
          </Badge>
        )}
      </div>
    </li>
  )
}

/** Text with the words of the query marked. */
function Marked({ text, q }: { text: string; q: string }) {
  return highlight(text, q).map((piece, index) =>
    piece.isHit ? (
      <mark key={index} className={styles.hit}>
        {piece.text}
      </mark>
    ) : (
      <span key={index}>{piece.text}</span>
    ),
  )
}
