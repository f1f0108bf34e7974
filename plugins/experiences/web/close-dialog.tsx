import { Button } from '@stoa/sdk/ui/button'
import { Dialog } from '@stoa/sdk/ui/dialog'
import { Select, TextArea, TextField } from '@stoa/sdk/ui/field'
import { Stack } from '@stoa/sdk/ui/page'
import type { ApiError } from '@stoa/sdk/web'
import { useApi, useText, useToast } from '@stoa/sdk/web'
import { useState } from 'react'
import { experienceCalls } from '../shared/api.ts'

const duplicate = '60'
const somethingElse = '59'
const reasons = [duplicate, '63', '64', somethingElse]

/** Asks staff why a post is closed. */
export function CloseDialog({ id, onClose, onDone }: { id: string; onClose: () => void; onDone: () => Promise<void> }) {
  const t = useText('experiences')
  const calls = useApi()
  const toast = useToast()
  const [reason, setReason] = useState(duplicate)
  const [message, setMessage] = useState('')
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const submit = async () => {
    setBusy(true)
    setError(undefined)
    try {
      await calls.send(experienceCalls.close, { body: { id, close_type: Number(reason), close_msg: message }, passingError: true })
    } catch (failure) {
      const { fields, msg } = failure as ApiError
      setError(fields?.close_msg ?? msg)
      setBusy(false)
      return
    }
    toast({ text: t('action.done'), tone: 'success' })
    onClose()
    await onDone()
  }
  const field = { value: message, onChange: setMessage, error, required: true }
  const actions = (
    <>
      <Button variant="quiet" onClick={onClose}>
        {t('action.cancel')}
      </Button>
      <Button variant="primary" busy={isBusy} onClick={() => void submit()}>
        {t('action.close')}
      </Button>
    </>
  )
  return (
    <Dialog open onClose={onClose} title={t('action.close_title')} actions={actions}>
      <Stack>
        <p>{t('action.close_text')}</p>
        <Select
          label={t('action.close_reason')}
          value={reason}
          onChange={setReason}
          options={reasons.map((value) => ({ value, label: t(`close_reason.${value}`) }))}
        />
        {reason === duplicate && <TextField label={t('action.close_duplicate')} type="url" {...field} />}
        {reason === somethingElse && <TextArea label={t('action.close_message')} rows={3} {...field} />}
      </Stack>
    </Dialog>
  )
}
