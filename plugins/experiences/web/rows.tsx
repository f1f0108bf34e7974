import type { PropsOf } from '@stoa/sdk'
import { Avatar } from '@stoa/sdk/ui/avatar'
import { Badge } from '@stoa/sdk/ui/badge'
import { Chip } from '@stoa/sdk/ui/chip'
import { Icon } from '@stoa/sdk/ui/icon'
import { Count } from '@stoa/sdk/ui/number'
import { Time } from '@stoa/sdk/ui/time'
import { Link, Slot, useLogin, useSite, useText } from '@stoa/sdk/web'
import type { ReactNode } from 'react'
import type { PostRow } from '../shared/api.ts'
import { experienceSlots } from '../shared/api.ts'
import { chipOf, pathOf } from './addresses.ts'
import { openedHere } from './opened-here.ts'
import styles from './rows.module.css'

/**
 * Rows of a list of experiences. Other pages get them through a slot.
 * @param list items as `experience/page` sends them
 */
export default function ExperienceRows({ list }: PropsOf<typeof experienceSlots.rows>) {
  return (
    <ol className={styles.rows}>
      {list.map((item) => (
        <li key={item.id}>
          <Row item={item} />
        </li>
      ))}
    </ol>
  )
}

function Row({ item }: { item: PostRow }) {
  const t = useText('experiences')
  const site = useSite()
  const isOpened = useLogin().isLoggedIn && openedHere.has(item.id)
  const read = isOpened ? 'read' : item.read_state
  return (
    <article className={styles.row} data-read={read}>
      <div className={styles.text}>
        <h2 className={styles.title} dir="auto">
          <Link to={pathOf(site, item)} data-stop="">
            {item.title}
          </Link>
          {read === 'read' && <span className="visually-hidden">{t('list.read')}</span>}
          {item.pin === 2 && (
            <Badge tone="accent" icon="pin">
              {t('list.pinned')}
            </Badge>
          )}
          {item.status === 2 && <Badge>{t('list.closed')}</Badge>}
        </h2>
        {item.description && (
          <p className={styles.excerpt} dir="auto">
            {item.description}
          </p>
        )}
        <div className={styles.line}>
          {item.tags.map((tag) => (
            <Chip key={tag.slug_name} {...chipOf(tag)} />
          ))}
          <span className={styles.person}>
            {item.operator && (
              <>
                <Avatar name={item.operator.display_name} src={item.operator.avatar} size={20} />
                <Link to={`/users/${item.operator.username}`}>
                  <bdi>{item.operator.display_name}</bdi>
                </Link>
              </>
            )}
            <span>
              <Time at={item.operated_at} phrase={(time) => t(`list.${item.operation_type}`, { time })} />
            </span>
          </span>
          <Slot of={experienceSlots.row} props={{ row: item }} />
        </div>
      </div>
      <Counts item={item} isNew={read === 'answered_since'} />
    </article>
  )
}

/** Score, answers and views; each says in words what the number is. */
function Counts({ item, isNew }: { item: PostRow; isNew: boolean }) {
  const t = useText('experiences')
  const isAccepted = item.accepted_answer_id !== '0'
  const answers = isAccepted ? 'accepted' : item.answer_count > 0 ? 'answered' : 'none'
  return (
    <ul className={styles.counts}>
      <li>
        <Labelled label={t('list.votes', { count: item.vote_count })}>
          <Icon name="thumb-up" size={16} />
          <Count value={item.vote_count} />
        </Labelled>
      </li>
      <li data-answers={answers} data-new={isNew || undefined}>
        <Labelled
          label={
            t(isAccepted ? 'list.accepted' : 'list.answers', { count: item.answer_count }) + (isNew ? ` · ${t('list.answered_since')}` : '')
          }
        >
          <Icon name={isAccepted ? 'check' : 'message'} size={16} />
          <Count value={item.answer_count} />
        </Labelled>
      </li>
      <li>
        <Labelled label={t('list.views', { count: item.view_count })}>
          <Icon name="eye" size={16} />
          <Count value={item.view_count} />
        </Labelled>
      </li>
    </ul>
  )
}

function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <span className={styles.count} title={label}>
      <span aria-hidden="true">{children}</span>
      <span className="visually-hidden">{label}</span>
    </span>
  )
}
