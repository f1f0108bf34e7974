import { ButtonLink } from '@stoa/sdk/ui/button'
import { EmptyState } from '@stoa/sdk/ui/empty'
import { useText } from '@stoa/sdk/web'

/** A list without posts: what it is for, and the way to write the first. */
export function EmptyList({ text }: { text?: string }) {
  const t = useText('experiences')
  return (
    <EmptyState
      icon="message"
      title={t('list.empty_title')}
      text={text ?? t('list.empty_text')}
      action={
        <ButtonLink to="/experiences/ask" variant="primary" icon="pencil">
          {t('write')}
        </ButtonLink>
      }
    />
  )
}
