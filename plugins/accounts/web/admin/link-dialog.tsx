import { Button } from '@stoa/sdk/ui/button'
import { Dialog } from '@stoa/sdk/ui/dialog'
import { TextField } from '@stoa/sdk/ui/field'
import { Stack } from '@stoa/sdk/ui/page'
import { Skeleton } from '@stoa/sdk/ui/skeleton'
import { useApi, useToast } from '@stoa/sdk/web'
import { useEffect, useState } from 'react'
import { accountCalls } from '../../shared/api.ts'
import { useAccountsText } from '../parts/use-accounts-text.ts'
import type { PersonDialogProps } from './person-dialogs.tsx'

/** A link that activates somebody's account, to be handed over or mailed. */
export function LinkDialog({ person, onClose }: PersonDialogProps) {
  const api = useApi()
  const t = useAccountsText()
  const toast = useToast()
  const [link, setLink] = useState('')
  const [busy, setBusy] = useState(false)
  const { user_id } = person
  useEffect(() => {
    void api.send(accountCalls.activationLink, { query: { user_id } }).then(
      ({ activation_url }) => setLink(activation_url),
      // The call has said what is wrong.
      () => {},
    )
  }, [api, user_id])
  const copy = async () => {
    await navigator.clipboard.writeText(link)
    toast({ text: t('admin.link_dialog.copied'), tone: 'success' })
  }
  const mail = async () => {
    setBusy(true)
    try {
      await api.send(accountCalls.mailActivation, { body: { user_id } })
      toast({ text: t('admin.link_dialog.mailed', { email: person.e_mail }), tone: 'success' })
      onClose()
    } catch {
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      title={t('admin.link_dialog.title', { name: person.display_name })}
      onClose={onClose}
      actions={
        <>
          <Button icon="mail" busy={busy} onClick={() => void mail()}>
            {t('admin.link_dialog.mail')}
          </Button>
          <Button icon="copy" variant="primary" disabled={link === ''} onClick={() => void copy().catch(() => {})}>
            {t('admin.link_dialog.copy')}
          </Button>
        </>
      }
    >
      <Stack gap={4}>
        <p>{t('admin.link_dialog.text')}</p>
        {link === '' ? <Skeleton lines={2} /> : <TextField label={t('admin.link_dialog.field')} readOnly value={link} />}
      </Stack>
    </Dialog>
  )
}
