import { Button } from '@stoa/sdk/ui/button'
import { Dialog } from '@stoa/sdk/ui/dialog'
import type { ApiError } from '@stoa/sdk/web'
import { useApi, useText, useToast } from '@stoa/sdk/web'
import { useState } from 'react'
import type { PersonCard } from '../../accounts/shared/api.ts'
import { invitationCalls } from '../shared/api.ts'
import { PeoplePicker } from './people-picker.tsx'

interface InviteDialogProps {
  /** Public id of the post. */
  id: string
  /** Public id of who wrote it: they are not offered. */
  authorId: string
  invited: PersonCard[]
  onClose(): void
  onDone(): Promise<void>
}

/** Chooses who is asked to answer. */
export default function InviteDialog({ id, authorId, invited, onClose, onDone }: InviteDialogProps) {
  const api = useApi()
  const toast = useToast()
  const t = useText('invitations')
  const [people, setPeople] = useState(invited)
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)

  async function save(): Promise<void> {
    setBusy(true)
    setError(undefined)
    try {
      const invite_user = people.map(({ username }) => username)
      await api.send(invitationCalls.invite, { body: { id, invite_user }, passingError: true, ignoreServerError: true })
    } catch (failure) {
      const { fields, message } = failure as ApiError
      setError(fields?.invite_user ?? message)
      setBusy(false)
      return
    }
    toast({ text: t('dialog.done'), tone: 'success' })
    onClose()
    await onDone()
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={t('dialog.title')}
      closable={!busy}
      actions={
        <>
          <Button variant="quiet" onClick={onClose} disabled={busy}>
            {t('dialog.cancel')}
          </Button>
          <Button variant="primary" busy={busy} onClick={() => void save()}>
            {t('dialog.save')}
          </Button>
        </>
      }
    >
      <PeoplePicker
        value={people}
        onChange={(next) => {
          setPeople(next)
          setError(undefined)
        }}
        hiddenId={authorId}
        error={error}
      />
    </Dialog>
  )
}
