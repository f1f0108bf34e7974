import { Avatar } from '@stoa/sdk/ui/avatar'
import { Badge } from '@stoa/sdk/ui/badge'
import { Button, ButtonLink } from '@stoa/sdk/ui/button'
import { Prose } from '@stoa/sdk/ui/prose'
import { Time } from '@stoa/sdk/ui/time'
import { Link, Slot, useLogin, useText } from '@stoa/sdk/web'
import { useEffect, useRef } from 'react'
import type { PersonCard } from '../../accounts/shared/api.ts'
import { accountSlots } from '../../accounts/shared/api.ts'
import { commentSlots, threadOf } from '../../comments/shared/api.ts'
import { isLive } from '../../experiences/shared/api.ts'
import { historySlots } from '../../history/shared/api.ts'
import { voteSlots } from '../../votes/shared/api.ts'
import { answerSlots } from '../shared/api.ts'
import styles from './answer-item.module.css'
import { AnswerMenu } from './answer-menu.tsx'
import type { Experience, ReadAnswer } from './types.ts'
import { can } from './types.ts'
import { useAcceptance } from './use-acceptance.ts'

export interface AnswerItemProps {
  answer: ReadAnswer
  experience: Experience
  /** Of the experience. */
  authorId: string
  /** The address names it: it is scrolled to and marked. */
  isLinked: boolean
  onChange(next: ReadAnswer): void
  /** @param acceptedId empty when the mark was taken back */
  onAccept(acceptedId: string): void
}

const AVAILABLE = 1
const DELETED = 10

/** One answer: votes beside it, text, who and when, actions, comments. */
export function AnswerItem({ answer, experience, authorId, isLinked, onChange, onAccept }: AnswerItemProps) {
  const t = useText('answers')
  const { person, isStaff } = useLogin()
  const { busy, toggle } = useAcceptance(experience.id, answer, onAccept)
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isLinked) box.current?.scrollIntoView({ block: 'start' })
  }, [isLinked])
  const live = answer.status === AVAILABLE && isLive(experience)
  const isAccepted = answer.accepted === 2
  const mayAccept = live && (isStaff || (person !== null && person.id === authorId))
  return (
    <article
      ref={box}
      id={`answer-${answer.id}`}
      tabIndex={-1}
      data-stop=""
      className={styles.answer}
      data-linked={isLinked || undefined}
      data-accepted={isAccepted || undefined}
    >
      <div className={styles.side}>
        {live && (
          <Slot
            of={answerSlots.vote}
            props={{ id: answer.id, experienceId: experience.id, answer }}
            empty={
              <Slot
                of={voteSlots.control}
                props={{ id: answer.id, authorId: answer.user_info.id, votes: answer.vote_count, status: answer.vote_status }}
              />
            }
          />
        )}
      </div>
      <div className={styles.main}>
        <p className={styles.head}>
          <Author person={answer.user_info} />
          <span>
            <Time at={answer.create_time} phrase={(time) => t('answered', { time })} />
          </span>
          {answer.update_time > 0 && (
            <span>
              <Time at={answer.update_time} phrase={(time) => t('edited', { time })} />
              {answer.update_user_info && (
                <>
                  {' '}
                  · <Name person={answer.update_user_info} />
                </>
              )}
            </span>
          )}
          {isAccepted && (
            <Badge tone="success" icon="check">
              {t('accepted')}
            </Badge>
          )}
          {answer.status !== AVAILABLE && (
            <Badge tone={answer.status === DELETED ? 'danger' : 'warning'}>{t(answer.status === DELETED ? 'deleted' : 'pending')}</Badge>
          )}
        </p>
        <Prose html={answer.html} scope={answer.id} />
        <div className={styles.meta}>
          {/* From the end of the line: what only some may do stands first, so that it moves nothing when it comes. */}
          <span className={styles.actions}>
            <span className={styles.ofMembers}>
              {mayAccept && (
                <Button
                  variant="quiet"
                  size="small"
                  icon="check"
                  aria-keyshortcuts="a"
                  busy={busy}
                  title={isAccepted ? t('unaccept') : t('accept_hint')}
                  onClick={() => void toggle()}
                >
                  {t(isAccepted ? 'unaccept' : 'accept')}
                </Button>
              )}
              {can(answer, 'edit') && answer.status !== DELETED && (
                <ButtonLink variant="quiet" size="small" to={`/posts/${experience.id}/${answer.id}/edit`} aria-keyshortcuts="e">
                  {nameOf(answer, 'edit')}
                </ButtonLink>
              )}
              <Slot of={historySlots.entry} props={{ path: `/posts/${experience.id}/${answer.id}` }} />
            </span>
            {live && <Slot of={answerSlots.actions} props={{ id: answer.id, experienceId: experience.id, answer }} />}
            <AnswerMenu answer={answer} experience={experience} live={live} onChange={onChange} />
          </span>
        </div>
        <Slot of={answerSlots.footer} props={{ id: answer.id, experienceId: experience.id, answer }} />
        <Slot
          of={commentSlots.thread}
          props={{ id: answer.id, size: 'small', ...threadOf(answer, answer.comment_count), page: experience.id, closed: !live }}
        />
      </div>
    </article>
  )
}

const nameOf = (answer: ReadAnswer, action: string): string => answer.member_actions?.find((entry) => entry.action === action)?.name ?? ''

function Author({ person }: { person: PersonCard }) {
  return (
    <span className={styles.author}>
      <Avatar name={person.display_name} src={person.avatar} size={24} />
      <Name person={person} />
      <Slot of={accountSlots.card} props={{ person }} />
    </span>
  )
}

function Name({ person }: { person: PersonCard }) {
  if (person.status === 'deleted' || !person.username) return <bdi>{person.display_name}</bdi>
  return (
    <Link to={`/users/${person.username}`}>
      <bdi>{person.display_name}</bdi>
    </Link>
  )
}
