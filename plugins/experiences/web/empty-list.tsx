import { ButtonLink } from '@stoa/sdk/ui/button'
import { EmptyState } from '@stoa/sdk/ui/empty'
import { useText } from '@stoa/sdk/web'

/** A list without posts: what it is for, and the way to write the first. */
export function EmptyList({ order }: { order?: string }) {
  const t = useText('experiences')
  const isUnanswered = order === 'unanswered'
  return (
    <EmptyState
      icon="message"
      title={t(isUnanswered ? 'list.unanswered_title' : 'list.empty_title')}
      text={t(isUnanswered ? 'list.unanswered_text' : 'list.empty_text')}
      action={
        <ButtonLink to="/experiences/ask" variant="primary" icon="pencil">
          {t('write')}
        </ButtonLink>
      }
    />
  )
}
