import type { PropsOf } from '@stoa/sdk'
import { CallForm } from '@stoa/sdk/ui/call-form'
import { Icon } from '@stoa/sdk/ui/icon'
import { Count } from '@stoa/sdk/ui/number'
import { VisuallyHidden } from '@stoa/sdk/ui/visually-hidden'
import { useText } from '@stoa/sdk/web'
import type { voteSlots } from '../shared/api.ts'
import { voteCalls } from '../shared/api.ts'
import styles from './like.module.css'
import { useVote } from './use-vote.ts'

/** A like. */
export default function Like({ id, authorId, votes, status }: PropsOf<typeof voteSlots.like>) {
  const t = useText('votes')
  const { tally, busy, isOwn, press } = useVote(id, authorId, { votes, status })
  const isLiked = tally.status === 'vote_up'
  return (
    <CallForm
      call={voteCalls.vote}
      params={{ type: 'up' }}
      members={{ object_id: id, toggle: 'true' }}
      className={styles.form}
      onSubmit={(event) => event.preventDefault()}
    >
      <button
        type="submit"
        className={styles.like}
        disabled={isOwn}
        aria-pressed={isLiked}
        aria-busy={busy}
        title={t(isOwn ? 'own_comment' : isLiked ? 'liked' : 'like')}
        onClick={() => void press('up')}
      >
        <Icon name="thumb-up" size={16} />
        <VisuallyHidden>{t('like')}</VisuallyHidden>
        {tally.votes > 0 && <Count value={tally.votes} />}
      </button>
    </CallForm>
  )
}
