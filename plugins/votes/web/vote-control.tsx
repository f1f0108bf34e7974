import { Icon } from '@stoa/sdk/ui/icon'
import { Count } from '@stoa/sdk/ui/number'
import { VisuallyHidden } from '@stoa/sdk/ui/visually-hidden'
import { useText } from '@stoa/sdk/web'
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
  const { tally, busy, press } = useVote(objectId, authorId, { votes, status }, t('own'))
  const isUp = tally.status === 'vote_up'
  const isDown = tally.status === 'vote_down'
  return (
    <fieldset className={styles.control} aria-label={t('group')} aria-busy={busy}>
      <button
        type="button"
        className={styles.button}
        aria-pressed={isUp}
        aria-label={t('up')}
        title={t(isUp ? 'up_cast' : 'up')}
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
        type="button"
        className={styles.button}
        aria-pressed={isDown}
        aria-label={t('down')}
        title={t(isDown ? 'down_cast' : 'down')}
        onClick={() => void press('down')}
      >
        <Icon name="chevron-down" size={20} />
      </button>
    </fieldset>
  )
}
