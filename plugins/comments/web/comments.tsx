import type { ReplyOf } from '@stoa/sdk'
import { Button } from '@stoa/sdk/ui/button'
import { useApi, useData, useKernel, useLogin, useSearchParams, useText } from '@stoa/sdk/web'
import { useState } from 'react'
import type { CommentView } from '../shared/api.ts'
import { commentCalls } from '../shared/api.ts'
import { FIRST, MORE } from './comment.ts'
import { CommentForm } from './comment-form.tsx'
import { CommentItem } from './comment-item.tsx'
import styles from './comments.module.css'

interface CommentsProps {
  objectId: string
  size: 'normal' | 'small'
  start: ReplyOf<typeof commentCalls.page>
}

/** The first comments of an object, from the page's HTML on. A comment that the address names comes along wherever it stands. */
export function LoadedComments({ objectId, size }: Omit<CommentsProps, 'start'>) {
  const [address] = useSearchParams()
  const query = { object_id: objectId, page: 1, page_size: FIRST, comment_id: address.get('commentId') ?? undefined }
  return <Comments objectId={objectId} size={size} start={useData(commentCalls.page, query)} />
}

/** Comments with everything one can do to them. What is changed here stands until the page loads its own list anew. */
export function Comments({ objectId, size, start }: CommentsProps) {
  const kernel = useKernel()
  const api = useApi()
  const t = useText('comments')
  const { isLoggedIn } = useLogin()
  const [own, setOwn] = useState<{ start: ReplyOf<typeof commentCalls.page>; page: ReplyOf<typeof commentCalls.page> }>()
  const [writing, setWriting] = useState<{ to?: CommentView }>()
  const [isLoading, setLoading] = useState(false)
  const page = own && own.start.list === start.list ? own.page : start
  const set = (change: (page: ReplyOf<typeof commentCalls.page>) => ReplyOf<typeof commentCalls.page>) =>
    setOwn((before) => ({ start, page: change(before && before.start.list === start.list ? before.page : start) }))
  const left = page.count - page.list.length

  async function more(): Promise<void> {
    setLoading(true)
    try {
      const next = Math.floor(page.list.length / MORE) + 1
      const fresh = await api.send(commentCalls.page, { query: { object_id: objectId, page: next, page_size: MORE } })
      set((before) => ({ count: fresh.count, list: merge(next === 1 ? [] : before.list, fresh.list) }))
    } catch (error) {
      kernel.toast({ text: (error as Error).message, tone: 'danger' })
    } finally {
      setLoading(false)
    }
  }

  async function send(text: string): Promise<void> {
    const reply = writing?.to ? { reply_comment_id: writing.to.comment_id } : {}
    const comment = await api.send(commentCalls.create, {
      body: { object_id: objectId, original_text: text, ...reply },
      ignoreServerError: true,
    })
    set(({ count, list }) => ({ count: count + 1, list: [...list, comment] }))
    setWriting(undefined)
  }

  const begin = (to?: CommentView) => (isLoggedIn ? setWriting(to ? { to } : {}) : kernel.askForLogin())

  return (
    <div className={styles.comments} data-empty={(page.list.length === 0 && !writing) || undefined}>
      {page.list.length > 0 && (
        <ul className={styles.list} aria-label={t(`list_${size}`)}>
          {page.list.map((comment) => (
            <CommentItem
              key={comment.comment_id}
              comment={comment}
              onReply={() => begin(comment)}
              onChange={(next) =>
                set(({ count, list }) => ({ count, list: list.map((entry) => (entry.comment_id === next.comment_id ? next : entry)) }))
              }
              onDelete={() =>
                set(({ count, list }) => ({ count: count - 1, list: list.filter((entry) => entry.comment_id !== comment.comment_id) }))
              }
            />
          ))}
        </ul>
      )}
      {(left > 0 || !writing) && (
        <div className={styles.foot}>
          {left > 0 && (
            <Button variant="quiet" size="small" busy={isLoading} onClick={() => void more()}>
              {t('more', { count: left })}
            </Button>
          )}
          {!writing && (
            <Button variant="quiet" size="small" onClick={() => begin()}>
              {t('add')}
            </Button>
          )}
        </div>
      )}
      {writing && (
        <CommentForm
          key={writing.to?.comment_id ?? 'new'}
          start={writing.to ? `@${writing.to.username} ` : ''}
          label={writing.to ? t('reply_to', { name: writing.to.user_display_name }) : t('form.label')}
          submit={t('form.submit')}
          onSend={send}
          onCancel={() => setWriting(undefined)}
        />
      )}
    </div>
  )
}

/** Without the ones that are there already. */
function merge(before: CommentView[], next: CommentView[]): CommentView[] {
  const known = new Set(before.map((comment) => comment.comment_id))
  return [...before, ...next.filter((comment) => !known.has(comment.comment_id))]
}
