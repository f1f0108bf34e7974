import type { PropsOf } from '@stoa/sdk'
import { Icon } from '@stoa/sdk/ui/icon'
import { Count } from '@stoa/sdk/ui/number'
import { VisuallyHidden } from '@stoa/sdk/ui/visually-hidden'
import { useText } from '@stoa/sdk/web'
import type { commentSlots } from '../../comments/shared/api.ts'
import styles from './comment-vote.module.css'
import { useVote } from './use-vote.ts'

/** A like. */
export default function CommentVote({ id, comment }: PropsOf<typeof commentSlots.actions>) {
  const t = useText('votes')
  const given = { votes: comment.vote_count, status: comment.is_vote ? 'vote_up' : '' }
  const { tally, busy, press } = useVote(id, comment.user_id, given, t('own_comment'))
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
