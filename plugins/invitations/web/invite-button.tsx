import type { PropsOf } from '@stoa/sdk'
import { IconButton } from '@stoa/sdk/ui/button'
import { useText } from '@stoa/sdk/web'
import { lazy, Suspense, useState } from 'react'
import type { experienceSlots } from '../../experiences/shared/api.ts'
import { inviteAction, invitedIn } from '../shared/api.ts'

const InviteDialog = lazy(() => import('./invite-dialog.tsx'))

/** A way to ask others to answer, for whoever may. */
export default function InviteButton({ id, authorId, detail, reload }: PropsOf<typeof experienceSlots.actions>) {
  const t = useText('invitations')
  const [isOpen, setOpen] = useState(false)
  if (!detail.extends_actions.some(({ action }) => action === inviteAction)) return null
  return (
    <>
      <IconButton size="small" icon="user-plus" label={t('invite')} onClick={() => setOpen(true)} />
      {isOpen && (
        <Suspense fallback={null}>
          <InviteDialog id={id} authorId={authorId} invited={invitedIn(detail.beside)} onClose={() => setOpen(false)} onDone={reload} />
        </Suspense>
      )}
    </>
  )
}
