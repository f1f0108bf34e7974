import type { ReplyOf } from '@stoa/sdk'
import { Button } from '@stoa/sdk/ui/button'
import { Dialog } from '@stoa/sdk/ui/dialog'
import { RadioGroup, TextArea, TextField } from '@stoa/sdk/ui/field'
import { Stack } from '@stoa/sdk/ui/page'
import type { ApiError } from '@stoa/sdk/web'
import { useApi, useSite, useText, useToast } from '@stoa/sdk/web'
import { useEffect, useId, useState } from 'react'
import { siteCalls } from '../../site/shared/api.ts'
import type { ExperienceView } from '../shared/api.ts'
import { experienceCalls } from '../shared/api.ts'
import { pathOf } from './addresses.ts'
import styles from './close-dialog.module.css'
import { useSimilar } from './similar-posts.tsx'

const duplicate = '60'

interface CloseDialogProps {
  /** One, or several for the same reason. */
  posts: readonly Pick<ExperienceView, 'id' | 'title'>[]
  /** Default: the call of each post itself. */
  send?(closing: { close_type: number; close_msg: string }): Promise<unknown>
  onClose(): void
  onDone(): Promise<void>
}

/** Asks why posts are closed, and for a duplicate which one it repeats. */
export function CloseDialog({ posts, send, onClose, onDone }: CloseDialogProps) {
  const t = useText('experiences')
  const calls = useApi()
  const toast = useToast()
  const reasons = useReasons()
  const [reason, setReason] = useState(duplicate)
  const [message, setMessage] = useState('')
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [left] = useState(() => new Set(posts))
  const chosen = reasons.find(({ reason_type }) => String(reason_type) === reason)
  const formId = useId()
  const submit = async () => {
    if (isBusy) return
    setBusy(true)
    setError(undefined)
    const close_msg = chosen?.have_content ? message : ''
    const closing = { close_type: Number(reason), close_msg }
    for (const post of left) {
      try {
        await (send?.(closing) ?? calls.send(experienceCalls.close, { body: { id: post.id, ...closing }, passingError: true }))
      } catch (failure) {
        const { fields, msg } = failure as ApiError
        setError(fields?.close_msg ?? msg)
        setBusy(false)
        if (left.size < posts.length) await onDone()
        return
      }
      left.delete(post)
    }
    toast({ text: t('action.done'), tone: 'success' })
    onClose()
    await onDone()
  }
  const [only] = posts.length === 1 ? posts : []
  const title = only ? t('action.close_title') : t('action.close_several', { count: posts.length })
  const field = { value: message, onChange: setMessage, error, required: true }
  const actions = (
    <>
      <Button variant="quiet" onClick={onClose}>
        {t('action.cancel')}
      </Button>
      <Button type="submit" form={formId} variant="primary" busy={isBusy}>
        {title}
      </Button>
    </>
  )
  if (reasons.length === 0) return null
  return (
    <Dialog open onClose={onClose} title={title} actions={actions}>
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
          <p>{t('action.close_text')}</p>
          <RadioGroup
            label={t('action.close_reason')}
            value={reason}
            onChange={(value) => {
              setReason(value)
              setError(undefined)
            }}
            options={reasons.map(({ reason_type, name, description }) => ({ value: String(reason_type), label: name, help: description }))}
          />
          {reason === duplicate && (
            <>
              <TextField label={t('action.close_duplicate')} type="url" {...field} />
              {only && <Originals post={only} onChoose={setMessage} />}
            </>
          )}
          {reason !== duplicate && chosen?.have_content && <TextArea label={t('action.close_message')} rows={3} {...field} />}
          {!chosen?.have_content && error && <p role="alert">{error}</p>}
        </Stack>
      </form>
    </Dialog>
  )
}

/** What the site offers as reasons; empty until they are there. */
function useReasons(): ReplyOf<typeof siteCalls.reasons> {
  const calls = useApi()
  const [reasons, setReasons] = useState<ReplyOf<typeof siteCalls.reasons>>([])
  useEffect(() => {
    calls.send(siteCalls.reasons, { query: { object_type: 'experience', action: 'close' } }).then(setReasons, () => undefined)
  }, [calls])
  return reasons
}

/** Posts with a title like this one: what a duplicate most often repeats. */
function Originals({ post, onChoose }: { post: CloseDialogProps['posts'][number]; onChoose(address: string): void }) {
  const t = useText('experiences')
  const site = useSite()
  const found = useSimilar(post.title, 0).filter(({ id }) => id !== post.id)
  if (found.length === 0) return null
  return (
    <div>
      <p id="close-originals">{t('action.close_originals')}</p>
      <ul className={styles.originals} aria-labelledby="close-originals">
        {found.map((other) => (
          <li key={other.id}>
            <Button variant="quiet" size="small" onClick={() => onChoose(new URL(pathOf(site, other), location.origin).href)}>
              {other.title}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
