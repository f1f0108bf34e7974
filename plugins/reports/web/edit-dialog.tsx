import type { BodyOf } from '@stoa/sdk'
import { Button } from '@stoa/sdk/ui/button'
import { Dialog } from '@stoa/sdk/ui/dialog'
import type { EditorProps } from '@stoa/sdk/ui/editor-props'
import { TextArea, TextField } from '@stoa/sdk/ui/field'
import { Stack } from '@stoa/sdk/ui/page'
import type { ApiError } from '@stoa/sdk/web'
import { kernelSlots, Slot, useText, useToast } from '@stoa/sdk/web'
import { useState } from 'react'
import type { reportCalls } from '../shared/api.ts'

type Text = Pick<BodyOf<typeof reportCalls.handle>, 'title' | 'content' | 'tags'>

interface EditDialogProps {
  item: {
    object_type: string
    title: string
    original_text: string
    tags: { slug_name: string; display_name: string }[] | null
  }
  send(text: Text): Promise<unknown>
  onClose(): void
  onDone(): Promise<void>
}

/** Changes the text of what was flagged; its tags stay. */
export function EditDialog({ item, send, onClose, onDone }: EditDialogProps) {
  const t = useText('reports')
  const toast = useToast()
  const [title, setTitle] = useState(item.title)
  const [content, setContent] = useState(item.original_text)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [isBusy, setBusy] = useState(false)
  const hasTitle = item.object_type === 'experience'

  async function submit(): Promise<void> {
    setBusy(true)
    setErrors({})
    const tags = item.tags?.map(({ slug_name, display_name }) => ({ slug_name, display_name, original_text: '' })) ?? null
    try {
      await send({ title, content, tags })
    } catch (error) {
      const { fields, msg, shown } = error as ApiError
      setErrors(fields ?? (shown ? {} : { form: msg }))
      setBusy(false)
      return
    }
    toast({ text: t('review.done.edit_post'), tone: 'success' })
    await onDone()
  }

  const editor: EditorProps = {
    id: 'flagged-text',
    name: 'content',
    label: t('review.text'),
    value: content,
    onChange: setContent,
    minRows: 8,
    maxLength: 65_535,
    required: true,
    error: errors.content ?? errors.original_text ?? '',
  }
  const { minRows: rows = 8, onBlur: _, ...plain } = editor
  const actions = (
    <>
      <Button variant="quiet" onClick={onClose}>
        {t('dialog.cancel')}
      </Button>
      <Button variant="primary" busy={isBusy} onClick={() => void submit()}>
        {t('review.save')}
      </Button>
    </>
  )
  return (
    <Dialog open size="large" onClose={onClose} title={t('review.edit_post')} actions={actions}>
      <Stack>
        {hasTitle && <TextField label={t('review.title')} value={title} onChange={setTitle} error={errors.title} required />}
        <Slot
          of={kernelSlots.editor}
          props={editor}
          empty={<TextArea {...plain} rows={rows} />}
          waiting={<TextArea {...plain} rows={rows} />}
        />
        {(errors.form ?? errors.tags) && <p role="alert">{errors.form ?? errors.tags}</p>}
      </Stack>
    </Dialog>
  )
}
