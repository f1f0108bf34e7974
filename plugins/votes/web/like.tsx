import type { PropsOf } from '@stoa/sdk'
import { Icon } from '@stoa/sdk/ui/icon'
import { Count } from '@stoa/sdk/ui/number'
import { VisuallyHidden } from '@stoa/sdk/ui/visually-hidden'
import { useText } from '@stoa/sdk/web'
import type { voteSlots } from '../shared/api.ts'
import styles from './like.module.css'
import { useVote } from './use-vote.ts'

/** A like. */
export default function Like({ id, authorId, votes, status }: PropsOf<typeof voteSlots.like>) {
  const t = useText('votes')
  const { tally, busy, press } = useVote(id, authorId, { votes, status }, t('own_comment'))
  const isLiked = tally.status === 'vote_up'
  return (
    <button
      type="button"
      className={styles.like}
      aria-pressed={isLiked}
      aria-busy={busy}
      title={t(isLiked ? 'liked' : 'like')}
      onClick={() => void press('up')}
    >
      <Icon name="thumb-up" size={16} />
      <VisuallyHidden>{t('like')}</VisuallyHidden>
      {tally.votes > 0 && <Count value={tally.votes} />}
    </button>
  )
}
