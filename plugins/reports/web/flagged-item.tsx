import type { BodyOf, PropsOf, ReplyOf } from '@stoa/sdk'
import { Skeleton } from '@stoa/sdk/ui/skeleton'
import { Time } from '@stoa/sdk/ui/time'
import type { ApiError } from '@stoa/sdk/web'
import { Link, Slot, useApi, useConfirm, useText, useToast } from '@stoa/sdk/web'
import { useEffect, useState } from 'react'
import { experienceSlots } from '../../experiences/shared/api.ts'
import type { ReviewAction } from '../../review/shared/api.ts'
import { reviewSlots } from '../../review/shared/api.ts'
import type { Operation } from '../shared/api.ts'
import { reportCalls } from '../shared/api.ts'
import { EditDialog } from './edit-dialog.tsx'
import styles from './flagged-item.module.css'

type Flagged = ReplyOf<typeof reportCalls.unreviewed>['list'][number]

/** Letters of the review page; `c` and `g` are the site's. */
const shortcuts: Record<Operation, string> = { ignore_report: 'n', edit_post: 'e', close_post: 'x', unlist_post: 'u', delete_post: 'd' }
const usualOrder: Operation[] = ['ignore_report', 'edit_post', 'close_post', 'unlist_post', 'delete_post']

/** Something that was flagged, with who flagged it and why. */
export default function FlaggedItem({ page, count, onDecided, onSkip }: PropsOf<typeof reviewSlots.queue>) {
  const t = useText('reports')
  const calls = useApi()
  const toast = useToast()
  const confirm = useConfirm()
  const [item, setItem] = useState<Flagged>()
  const [busy, setBusy] = useState<Operation>()
  const [problem, setProblem] = useState('')
  const [dialog, setDialog] = useState<'close' | 'edit'>()
  useEffect(() => {
    let isLatest = true
    calls.send(reportCalls.unreviewed, { query: { page } }).then(
      ({ list }) => isLatest && setItem(list[0]),
      () => {},
    )
    return () => {
      isLatest = false
    }
  }, [calls, page])
  if (!item) return <Skeleton lines={8} />

  const send = (operation_type: Operation, more: Partial<BodyOf<typeof reportCalls.handle>> = {}) =>
    calls.send(reportCalls.handle, { body: { flag_id: item.flag_id, operation_type, ...more }, passingError: true })
  const done = async () => {
    setDialog(undefined)
    await onDecided()
  }

  async function act(operation: Operation): Promise<void> {
    if (operation === 'close_post') return setDialog('close')
    if (operation === 'edit_post') return setDialog('edit')
    const isSure =
      operation !== 'delete_post' ||
      (await confirm({ title: t('review.confirm_delete'), confirm: t('review.delete_post'), tone: 'danger' }))
    if (!isSure) return
    setBusy(operation)
    setProblem('')
    try {
      await send(operation)
      toast({ text: t(`review.done.${operation}`), tone: 'success' })
      await done()
    } catch (error) {
      const { msg, shown } = error as ApiError
      if (!shown) setProblem(msg)
    }
    setBusy(undefined)
  }

  const actions = usualOrder
    .filter((operation) => item.operations.includes(operation))
    .map(
      (operation): ReviewAction => ({
        label: t(`review.${operation}`),
        shortcut: shortcuts[operation],
        busy: busy === operation,
        onSelect: () => void act(operation),
        ...(operation === 'delete_post' && { tone: 'danger' as const }),
      }),
    )
  if (count > 1) actions.push({ label: t('review.skip'), shortcut: 's', tone: 'quiet', onSelect: onSkip })
  return (
    <>
      <Slot
        of={reviewSlots.frame}
        props={{
          title: item.title,
          to: addressOf(item),
          author: item.author_user_info,
          at: item.created_at,
          states: statesOf(item).map((state) => t(`review.state.${state}`)),
          about: item.about,
          html: item.parsed_text,
          tags: item.tags ?? [],
          problem,
          actions,
          children: <Flags item={item} />,
        }}
      />
      {dialog === 'close' && (
        <Slot
          of={experienceSlots.closeDialog}
          props={{
            post: { id: item.object_id, title: item.title },
            send: (closing) => send('close_post', closing),
            onClose: () => setDialog(undefined),
            onDone: done,
          }}
        />
      )}
      {dialog === 'edit' && (
        <EditDialog item={item} send={(text) => send('edit_post', text)} onClose={() => setDialog(undefined)} onDone={done} />
      )}
    </>
  )
}

/** Who flagged it and why, the last one first. */
function Flags({ item }: { item: Flagged }) {
  const t = useText('reports')
  const all = [item, ...item.others]
  return (
    <ul className={styles.flags} aria-label={t('review.flags', { count: all.length })}>
      {all.map(({ submitter_user: person, submit_at, reason, reason_content }) => (
        <li key={person.id}>
          <strong>{reason?.name ?? t('review.no_reason')}</strong>
          <span className={styles.by}>
            {person.username ? <Link to={`/users/${person.username}`}>{person.display_name}</Link> : person.display_name}
            <Time at={submit_at} />
          </span>
          {reason_content && <p>{URL.canParse(reason_content) ? <a href={reason_content}>{reason_content}</a> : reason_content}</p>}
        </li>
      ))}
    </ul>
  )
}

function addressOf({ experience_id, answer_id, comment_id, url_title }: Flagged): string {
  const path = ['/experiences', experience_id, answer_id && (url_title || '-'), answer_id].filter(Boolean).join('/')
  return comment_id ? `${path}?commentId=${comment_id}#comment-${comment_id}` : path
}

/** Its kind, and what is not usual about its state. */
function statesOf({ object_type, object_status, object_show_status }: Flagged): string[] {
  return [
    object_type,
    ...(object_status === 2 ? ['closed'] : []),
    ...(object_status === 10 ? ['deleted'] : []),
    ...(object_status === 11 ? ['waiting'] : []),
    ...(object_show_status === 2 ? ['unlisted'] : []),
  ]
}
