import { Button } from '@stoa/sdk/ui/button'
import { Dialog } from '@stoa/sdk/ui/dialog'
import { Notice } from '@stoa/sdk/ui/notice'
import { Stack } from '@stoa/sdk/ui/page'
import type { ReactNode } from 'react'
import { useId } from 'react'
import { useAccountsText } from '../parts/use-accounts-text.ts'
import type { Form } from '../parts/use-form.ts'

interface FormDialogProps {
  title: string
  text?: string
  submit: string
  danger?: boolean
  // biome-ignore lint/suspicious/noExplicitAny: whatever its fields are
  form: Pick<Form<any>, 'submit' | 'busy' | 'failure'>
  /** Left out: there is nothing to send yet. */
  disabled?: boolean
  onClose(): void
  children?: ReactNode
}

/** A dialog around a form: what is refused stands at its field, or above the buttons. */
export function FormDialog({ title, text, submit, danger = false, form, disabled = false, onClose, children }: FormDialogProps) {
  const id = useId()
  const t = useAccountsText()
  return (
    <Dialog
      open
      title={title}
      closable={!form.busy}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose} disabled={form.busy}>
            {t('admin.cancel')}
          </Button>
          <Button type="submit" form={id} variant={danger ? 'danger' : 'primary'} busy={form.busy} disabled={disabled}>
            {submit}
          </Button>
        </>
      }
    >
      <form id={id} method="post" noValidate onSubmit={form.submit}>
        <Stack gap={4}>
          {text && <p>{text}</p>}
          {children}
          {form.failure && (
            <Notice tone="danger" live>
              {form.failure}
            </Notice>
          )}
        </Stack>
      </form>
    </Dialog>
  )
}
