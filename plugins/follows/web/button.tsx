import type { PropsOf } from '@stoa/sdk'
import { Button } from '@stoa/sdk/ui/button'
import { CallForm } from '@stoa/sdk/ui/call-form'
import { Count } from '@stoa/sdk/ui/number'
import { VisuallyHidden } from '@stoa/sdk/ui/visually-hidden'
import { useText } from '@stoa/sdk/web'
import type { followSlots } from '../shared/api.ts'
import { followCalls } from '../shared/api.ts'
import { useFollow } from './use-follow.ts'

/** Follows what the page is about, and says how many do. */
export default function FollowButton({ id, name, ...given }: PropsOf<typeof followSlots.button>) {
  const t = useText('follows')
  const { count, followed, busy, toggle } = useFollow(id, given)
  return (
    <CallForm
      call={followCalls.follow}
      members={{ object_id: id, toggle: 'true' }}
      onSubmit={(event) => {
        event.preventDefault()
        void toggle()
      }}
    >
      <Button
        type="submit"
        variant="quiet"
        size="small"
        icon="bell"
        aria-keyshortcuts="f"
        aria-pressed={followed}
        aria-disabled={busy || undefined}
      >
        {t(followed ? 'following' : 'follow')}
        <VisuallyHidden> {name}</VisuallyHidden>
        {count > 0 && <Count value={count} label={t('followers', { count })} />}
      </Button>
    </CallForm>
  )
}
