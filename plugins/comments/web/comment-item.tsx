import { Badge } from '@stoa/sdk/ui/badge'
import { Button } from '@stoa/sdk/ui/button'
import { Prose } from '@stoa/sdk/ui/prose'
import { Time } from '@stoa/sdk/ui/time'
import { Link, Slot, useApi, useConfirm, useHasDraft, useText, useToast } from '@stoa/sdk/web'
import { useEffect, useRef, useState } from 'react'
import { voteSlots } from '../../votes/shared/api.ts'
import type { CommentView } from '../shared/api.ts'
import { commentCalls, commentSlots } from '../shared/api.ts'
import { can } from './comment.ts'
import { CommentForm } from './comment-form.tsx'
import styles from './comments.module.css'

const WAITING = 11

interface CommentItemProps {
  comment: CommentView
  /** The address names it: it is scrolled to and marked. */
  isNamed: boolean
  /** Neither answered nor voted on. */
  closed: boolean
  /** Name of the draft of a reply to it. */
  replyDraft: string
  onReply(): void
  /** Such a draft waits. The same function at every drawing. */
  onReplyFound(commentId: string): void
  onChange(next: CommentView): void
  onDelete(): void
}

/** One comment with its text, author, time and quiet actions. */
export function CommentItem({ comment, isNamed, closed, replyDraft, onReply, onReplyFound, onChange, onDelete }: CommentItemProps) {
  const toast = useToast()
  const confirm = useConfirm()
  const api = useApi()
  const t = useText('comments')
  const draft = `comment-edit:${comment.comment_id}`
  const hasDraft = useHasDraft(draft)
  const [isEditing, setEditing] = useState<'no' | 'draft' | 'wanted'>('no')
  useEffect(() => {
    if (hasDraft) setEditing((now) => (now === 'no' ? 'draft' : now))
  }, [hasDraft])
  const box = useRef<HTMLLIElement>(null)
  useEffect(() => {
    // A new document is there already, by the address itself. After an answer that the address names as well.
    if (isNamed && !box.current?.matches(':target')) requestAnimationFrame(() => box.current?.scrollIntoView({ block: 'center' }))
  }, [isNamed])
  const hasReply = useHasDraft(replyDraft)
  useEffect(() => {
    if (hasReply) onReplyFound(comment.comment_id)
  }, [hasReply, onReplyFound, comment.comment_id])
  const [isGoing, setGoing] = useState(false)

  async function save(text: string): Promise<void> {
    const next = await api.send(commentCalls.update, {
      body: { comment_id: comment.comment_id, original_text: text },
      ignoreServerError: true,
    })
    onChange({ ...comment, original_text: next.original_text, parsed_text: next.parsed_text })
    stop()
  }

  const opener = useRef<HTMLButtonElement>(null)
  function stop(): void {
    setEditing('no')
    // The button is there again with the next drawing.
    requestAnimationFrame(() => opener.current?.focus())
  }

  async function remove(): Promise<void> {
    const isSure = await confirm({ title: t('confirm_delete.title'), confirm: t('confirm_delete.confirm'), tone: 'danger' })
    if (!isSure) return
    setGoing(true)
    try {
      await api.send(commentCalls.remove, { body: { comment_id: comment.comment_id }, ignoreServerError: true })
      onDelete()
    } catch (error) {
      const { shown, message } = error as { shown?: boolean; message: string }
      if (!shown) toast({ text: message, tone: 'danger' })
      setGoing(false)
    }
  }

  return (
    <li
      ref={box}
      className={styles.comment}
      id={`comment-${comment.comment_id}`}
      data-named={isNamed || undefined}
      data-going={isGoing || undefined}
    >
      {isEditing !== 'no' ? (
        <CommentForm
          start={comment.original_text}
          label={t('form.label_edit')}
          submit={t('form.save')}
          onSend={save}
          onCancel={stop}
          draft={draft}
          autoFocus={isEditing === 'wanted'}
        />
      ) : (
        <>
          <Prose html={comment.parsed_text} size="small" />
          <div className={styles.meta}>
            <Author name={comment.user_display_name} username={comment.username} status={comment.user_status} />
            {comment.reply_comment_id && (
              <a href={`#comment-${comment.reply_comment_id}`}>{t('in_reply_to', { name: comment.reply_user_display_name })}</a>
            )}
            <Time at={comment.created_at} />
            {comment.status === WAITING && <Badge tone="warning">{t('waiting')}</Badge>}
            {/* From the end of the line: what only some may do stands first, so that it moves nothing when it comes. */}
            <span className={styles.actions}>
              {can(comment, 'edit') && (
                <Button ref={opener} variant="quiet" size="small" onClick={() => setEditing('wanted')}>
                  {t('edit')}
                </Button>
              )}
              {can(comment, 'delete') && (
                <Button variant="quiet" size="small" onClick={() => void remove()} busy={isGoing}>
                  {t('delete')}
                </Button>
              )}
              {!closed && (
                <>
                  <Slot of={commentSlots.actions} props={{ id: comment.comment_id, comment }} />
                  <Slot
                    of={voteSlots.like}
                    props={{
                      id: comment.comment_id,
                      authorId: comment.user_id,
                      votes: comment.vote_count,
                      status: comment.is_vote ? 'vote_up' : '',
                    }}
                  />
                  <Button variant="quiet" size="small" className={styles.scripted} onClick={onReply}>
                    {t('reply')}
                  </Button>
                </>
              )}
            </span>
          </div>
        </>
      )}
    </li>
  )
}

function Author({ name, username, status }: { name: string; username: string; status: string }) {
  if (status === 'deleted' || !username) return <bdi>{name}</bdi>
  return (
    <Link to={`/users/${username}`}>
      <bdi>{name}</bdi>
    </Link>
  )
}
