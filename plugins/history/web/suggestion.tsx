import type { PropsOf, ReplyOf } from '@stoa/sdk'
import { Skeleton } from '@stoa/sdk/ui/skeleton'
import type { ApiError } from '@stoa/sdk/web'
import { Slot, useApi, useText, useToast } from '@stoa/sdk/web'
import { useEffect, useState } from 'react'
import { reviewSlots } from '../../review/shared/api.ts'
import { historyCalls } from '../shared/api.ts'
import styles from './history.module.css'
import type { ShownText } from './texts.tsx'
import { Texts } from './texts.tsx'

type Queue = ReplyOf<typeof historyCalls.unreviewed>
type Suggestion = Queue['list'][number]

/** What is suggested, with the title that its kind calls otherwise. */
function suggested({ info, unreviewed_info }: Suggestion): ShownText {
  const content = unreviewed_info.content as { content?: string; original_text?: string; tags?: ShownText['tags'] } | null
  return {
    title: unreviewed_info.title,
    tags: content?.tags ?? info.tags ?? [],
    original_text: content?.content ?? content?.original_text ?? '',
    slug_name: '',
    fields: unreviewed_info.fields,
  }
}

/** One suggested edit, compared with the text as it stands. */
export default function SuggestedEdit({ page, count, onDecided, onSkip }: PropsOf<typeof reviewSlots.queue>) {
  const t = useText('history')
  const calls = useApi()
  const toast = useToast()
  const [item, setItem] = useState<Suggestion>()
  const [busy, setBusy] = useState<'approve' | 'reject'>()
  const [problem, setProblem] = useState('')
  useEffect(() => {
    let isLatest = true
    calls.send(historyCalls.unreviewed, { query: { page } }).then(
      ({ list }) => isLatest && setItem(list[0]),
      () => {},
    )
    return () => {
      isLatest = false
    }
  }, [calls, page])
  if (!item) return <Skeleton lines={8} />
  const { info, unreviewed_info } = item
  const present: ShownText = { title: info.title, tags: info.tags ?? [], original_text: info.content, slug_name: '', fields: info.fields }
  const original =
    info.object_type === 'tag'
      ? `/tags/${encodeURIComponent(info.url_title)}/info`
      : `/experiences/${info.experience_id}${info.answer_id ? `/${info.url_title || '-'}/${info.answer_id}` : ''}`
  const decide = async (operation: 'approve' | 'reject') => {
    setBusy(operation)
    setProblem('')
    try {
      await calls.send(historyCalls.audit, { body: { id: unreviewed_info.id, operation }, passingError: true })
      toast({ text: t(operation === 'approve' ? 'review.approved' : 'review.rejected'), tone: 'success' })
      await onDecided()
    } catch (error) {
      const { msg, shown } = error as ApiError
      if (!shown) setProblem(msg)
    }
    setBusy(undefined)
  }
  return (
    <Slot
      of={reviewSlots.frame}
      props={{
        title: info.title,
        to: original,
        author: unreviewed_info.user_info,
        at: unreviewed_info.create_at,
        problem,
        actions: [
          {
            label: t('review.approve'),
            shortcut: 'a',
            tone: 'primary',
            busy: busy === 'approve',
            onSelect: () => void decide('approve'),
          },
          { label: t('review.reject'), shortcut: 'r', busy: busy === 'reject', onSelect: () => void decide('reject') },
          ...(count > 1 ? [{ label: t('review.skip'), shortcut: 's', tone: 'quiet' as const, onSelect: onSkip }] : []),
        ],
        children: (
          <>
            <p className={styles.reason}>{unreviewed_info.reason || t('review.no_reason')}</p>
            <Texts before={present} after={suggested(item)} />
          </>
        ),
      }}
    />
  )
}
