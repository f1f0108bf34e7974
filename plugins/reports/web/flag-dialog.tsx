import type { ReplyOf } from '@stoa/sdk'
import { Button } from '@stoa/sdk/ui/button'
import { Dialog } from '@stoa/sdk/ui/dialog'
import { RadioGroup, TextArea, TextField } from '@stoa/sdk/ui/field'
import { Stack } from '@stoa/sdk/ui/page'
import type { ApiError } from '@stoa/sdk/web'
import { useApi, useText, useToast } from '@stoa/sdk/web'
import { useEffect, useId, useState } from 'react'
import { siteCalls } from '../../site/shared/api.ts'
import { reportCalls } from '../shared/api.ts'

type Reasons = ReplyOf<typeof siteCalls.reasons>
type Reason = Reasons[number]

const DUPLICATE = 60
const LONGEST = 500

/** Key of what is wrong with what was written to a reason. */
function problemOf(reason: Reason, content: string): string | undefined {
  if (!reason.have_content) return undefined
  if (content.trim() === '') return 'dialog.content_empty'
  if (reason.reason_type !== DUPLICATE) return undefined
  if (!URL.canParse(content.trim())) return 'dialog.not_url'
  return new URL(content.trim()).origin === location.origin ? undefined : 'dialog.other_site'
}

interface FlagDialogProps {
  kind: string
  /** Public id. */
  id: string
  onClose(): void
}

/** Asks why something is flagged. */
export default function FlagDialog({ kind, id, onClose }: FlagDialogProps) {
  const t = useText('reports')
  const calls = useApi()
  const toast = useToast()
  const [reasons, setReasons] = useState<Reasons>([])
  const [chosen, setChosen] = useState<string>()
  const [content, setContent] = useState('')
  const [problem, setProblem] = useState<{ place: 'reason' | 'content' | 'form'; text: string }>()
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    calls.send(siteCalls.reasons, { query: { object_type: kind, action: 'flag' } }).then(setReasons, onClose)
  }, [calls, kind, onClose])
  const reason = reasons.find(({ reason_type }) => String(reason_type) === chosen)

  const formId = useId()

  async function submit(): Promise<void> {
    if (isBusy) return
    if (!reason) return setProblem({ place: 'reason', text: t('dialog.choose') })
    const key = problemOf(reason, content)
    if (key) return setProblem({ place: 'content', text: t(key) })
    setBusy(true)
    setProblem(undefined)
    const body = { object_id: id, source: kind, report_type: reason.reason_type, content: reason.have_content ? content.trim() : '' }
    try {
      await calls.send(reportCalls.create, { body, passingError: true })
      toast({ text: t('dialog.thanks'), tone: 'success' })
      onClose()
    } catch (failure) {
      const { fields, msg, shown } = failure as ApiError
      setBusy(false)
      if (fields?.content) setProblem({ place: 'content', text: fields.content })
      else if (!shown) setProblem({ place: reason.have_content && reason.reason_type === DUPLICATE ? 'content' : 'form', text: msg })
    }
  }

  if (reasons.length === 0) return null
  const at = (place: string) => (problem?.place === place ? problem.text : undefined)
  const field = {
    label: reason?.reason_type === DUPLICATE ? t('dialog.address') : t('dialog.content'),
    value: content,
    onChange: (text: string) => {
      setContent(text)
      setProblem(undefined)
    },
    error: at('content'),
    maxLength: LONGEST,
    required: true,
    ...(reason?.placeholder && { placeholder: reason.placeholder }),
  }
  const actions = (
    <>
      <Button variant="quiet" onClick={onClose}>
        {t('dialog.cancel')}
      </Button>
      <Button type="submit" form={formId} variant="primary" busy={isBusy}>
        {t('dialog.send')}
      </Button>
    </>
  )
  return (
    <Dialog open onClose={onClose} title={t(`dialog.title_${kind}`)} actions={actions}>
      <form
        id={formId}
        method="post"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <Stack>
          <p>{t('dialog.text')}</p>
          <RadioGroup
            label={t('dialog.reason')}
            value={chosen}
            error={at('reason')}
            onChange={(value) => {
              setChosen(value)
              setProblem(undefined)
            }}
            options={reasons.map(({ reason_type, name, description }) => ({ value: String(reason_type), label: name, help: description }))}
          />
          {reason?.content_type === 'text' && <TextField type="url" {...field} />}
          {reason?.content_type === 'textarea' && <TextArea rows={3} {...field} />}
          {at('form') && <p role="alert">{at('form')}</p>}
        </Stack>
      </form>
    </Dialog>
  )
}
