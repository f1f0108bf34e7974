import type { PropsOf, ReplyOf } from '@stoa/sdk'
import { Button } from '@stoa/sdk/ui/button'
import { Dialog } from '@stoa/sdk/ui/dialog'
import { TextArea } from '@stoa/sdk/ui/field'
import { Notice } from '@stoa/sdk/ui/notice'
import { Stack } from '@stoa/sdk/ui/page'
import { Skeleton } from '@stoa/sdk/ui/skeleton'
import type { ApiError } from '@stoa/sdk/web'
import { Slot, useApi, useText, useToast } from '@stoa/sdk/web'
import { useEffect, useState } from 'react'
import { reviewCalls, reviewSlots } from '../shared/api.ts'

type Queued = ReplyOf<typeof reviewCalls.pending>['list'][number]

/** Something that waits to be published, and why. */
export default function QueuedItem({ page, count, onDecided, onSkip }: PropsOf<typeof reviewSlots.queue>) {
  const t = useText('review')
  const calls = useApi()
  const toast = useToast()
  const [item, setItem] = useState<Queued>()
  const [busy, setBusy] = useState<'approve' | 'reject'>()
  const [problem, setProblem] = useState('')
  const [isRejecting, setRejecting] = useState(false)
  const [note, setNote] = useState('')
  useEffect(() => {
    let isLatest = true
    calls.send(reviewCalls.pending, { query: { page } }).then(
      ({ list }) => isLatest && setItem(list[0]),
      () => {},
    )
    return () => {
      isLatest = false
    }
  }, [calls, page])
  if (!item) return <Skeleton lines={8} />

  async function decide(id: number, status: 'approve' | 'reject'): Promise<void> {
    setBusy(status)
    setProblem('')
    try {
      await calls.send(reviewCalls.decide, { body: { review_id: id, status, note }, passingError: true })
      toast({ text: t(status === 'approve' ? 'queued.approved' : 'queued.rejected'), tone: 'success' })
      setRejecting(false)
      await onDecided()
    } catch (error) {
      const { msg, shown } = error as ApiError
      setRejecting(false)
      if (!shown) setProblem(msg)
    }
    setBusy(undefined)
  }

  const path = ['/experiences', item.experience_id, item.answer_id && (item.url_title || '-'), item.answer_id].filter(Boolean).join('/')
  const skip = { label: t('queued.skip'), shortcut: 's', tone: 'quiet' as const, onSelect: onSkip }
  const actions = (
    <>
      <Button variant="quiet" onClick={() => setRejecting(false)}>
        {t('queued.cancel')}
      </Button>
      <Button variant="danger" busy={busy === 'reject'} onClick={() => void decide(item.review_id, 'reject')}>
        {t('queued.reject')}
      </Button>
    </>
  )
  return (
    <>
      <Slot
        of={reviewSlots.frame}
        props={{
          title: item.title,
          to: path,
          author: item.author_user_info,
          at: item.submit_at,
          states: [t(`queued.kind.${item.object_type}`)],
          about: item.about,
          html: item.parsed_text,
          tags: item.tags ?? [],
          problem,
          actions: [
            {
              label: t('queued.approve'),
              shortcut: 'a',
              tone: 'primary',
              busy: busy === 'approve',
              onSelect: () => void decide(item.review_id, 'approve'),
            },
            { label: t('queued.reject'), shortcut: 'r', onSelect: () => setRejecting(true) },
            ...(count > 1 ? [skip] : []),
          ],
          children: (
            <Notice tone="warning" title={t('queued.why', { name: item.submitter_display_name })}>
              {item.reason && <p>{item.reason}</p>}
            </Notice>
          ),
        }}
      />
      {isRejecting && (
        <Dialog open size="small" onClose={() => setRejecting(false)} title={t('queued.reject_title')} actions={actions}>
          <Stack>
            <p>{t('queued.reject_text')}</p>
            <TextArea
              label={t('queued.note')}
              help={t('queued.note_help')}
              value={note}
              onChange={setNote}
              rows={3}
              maxLength={500}
              autoFocus
            />
          </Stack>
        </Dialog>
      )}
    </>
  )
}
