import type { PropsOf } from '@stoa/sdk'
import { IconButton } from '@stoa/sdk/ui/button'
import { useText } from '@stoa/sdk/web'
import type { commentSlots } from '../../comments/shared/api.ts'
import { useFlag } from './use-flag.tsx'

/** Flags a comment. */
export default function FlagComment({ id, comment }: PropsOf<typeof commentSlots.actions>) {
  const t = useText('reports')
  const { isOwn, ask, dialog } = useFlag('comment', id, comment.user_id)
  if (isOwn) return null
  return (
    <>
      <IconButton icon="flag" label={t('flag')} size="small" onClick={ask} />
      {dialog}
    </>
  )
}
