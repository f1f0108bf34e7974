import { CallForm, formAddress } from '@stoa/sdk/ui/call-form'
import { Icon } from '@stoa/sdk/ui/icon'
import { Count } from '@stoa/sdk/ui/number'
import { VisuallyHidden } from '@stoa/sdk/ui/visually-hidden'
import { useText } from '@stoa/sdk/web'
import { voteCalls } from '../shared/api.ts'
import { useVote } from './use-vote.ts'
import styles from './vote-control.module.css'

export interface VoteControlProps {
  objectId: string
  authorId: string
  votes: number
  status: string
}

/** Up, score, down: a column beside the text that stays in view on wide screens. */
export function VoteControl({ objectId, authorId, votes, status }: VoteControlProps) {
  const t = useText('votes')
  const { tally, busy, isOwn, press } = useVote(objectId, authorId, { votes, status })
  const isUp = tally.status === 'vote_up'
  const isDown = tally.status === 'vote_down'
  return (
    <CallForm
      call={voteCalls.vote}
      params={{ type: 'up' }}
      members={{ object_id: objectId, toggle: 'true' }}
      className={styles.form}
      onSubmit={(event) => event.preventDefault()}
    >
      <fieldset className={styles.control} aria-label={t('group')} aria-busy={busy}>
        <button
          type="submit"
          className={styles.button}
          disabled={isOwn}
          aria-pressed={isUp}
          aria-label={t('up')}
          aria-keyshortcuts="u"
          title={t(isOwn ? 'own' : isUp ? 'up_cast' : 'up')}
          onClick={() => void press('up')}
        >
          <Icon name="chevron-up" size={20} />
        </button>
        <span className={styles.score} aria-live="polite">
          <VisuallyHidden>{t('score', { score: tally.votes })}</VisuallyHidden>
          <span aria-hidden="true">
            <Count value={tally.votes} />
          </span>
        </span>
        <button
          type="submit"
          formAction={formAddress(voteCalls.vote, { type: 'down' })}
          className={styles.button}
          disabled={isOwn}
          aria-pressed={isDown}
          aria-label={t('down')}
          aria-keyshortcuts="d"
          title={t(isOwn ? 'own' : isDown ? 'down_cast' : 'down')}
          onClick={() => void press('down')}
        >
          <Icon name="chevron-down" size={20} />
        </button>
      </fieldset>
    </CallForm>
  )
}
