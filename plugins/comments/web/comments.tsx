import { decodeId, encodeId } from '@stoa/sdk'
import { Button } from '@stoa/sdk/ui/button'
import { CallForm, useSentForm, WithoutScripts } from '@stoa/sdk/ui/call-form'
import { TextArea } from '@stoa/sdk/ui/text-area'
import { useApi, useData, useHasDraft, useLanguage, useLogin, useSearchParams, useSession, useText, useToast } from '@stoa/sdk/web'
import { useLive } from '@stoa/sdk/web/live'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { CommentsPage, CommentView } from '../shared/api.ts'
import { commentCalls, commentLive, FIRST_COMMENTS } from '../shared/api.ts'
import { MORE } from './comment.ts'
import { CommentForm } from './comment-form.tsx'
import { CommentItem } from './comment-item.tsx'
import styles from './comments.module.css'

interface CommentsProps {
  objectId: string
  /** What has the page. */
  pageId: string
  size: 'normal' | 'small'
  closed: boolean
  /** The first of them, where the page has them already. */
  known: CommentsPage | undefined
}

/**
 * The first comments of an object, from the page's HTML on, with everything one can do to them. A comment that the address names comes along wherever
 * it stands. What is changed here stays, whatever the page loads anew.
 */
export function Comments({ objectId, pageId, size, closed, known }: CommentsProps) {
  const toast = useToast()
  const { askForLogin } = useSession()
  const api = useApi()
  const t = useText('comments')
  const { isLoggedIn, person } = useLogin()
  const named = useSearchParams()[0].get('commentId')
  const query = { object_id: objectId, page: 1, page_size: FIRST_COMMENTS, comment_id: named ?? undefined }
  const isKnown = known && (named === null || known.count === 0)
  const start = useData(commentCalls.page, query, undefined, isKnown ? known : undefined)
  const [own, setOwn] = useState<{ reader: string; page: CommentsPage }>()
  /** A new comment, or a reply. `isFound`: its draft waited, nobody pressed. */
  const [begun, setWriting] = useState<{ to?: string; isFound?: true }>()
  const writing = closed ? undefined : begun
  const draft = `comment:${objectId}`
  const hasDraft = useHasDraft(draft)
  useEffect(() => {
    if (isLoggedIn && hasDraft) setWriting((now) => now ?? { isFound: true })
  }, [isLoggedIn, hasDraft])
  const showReply = useCallback((to: string) => setWriting((now) => now ?? { to, isFound: true }), [])
  const [isLoading, setLoading] = useState(false)
  /** Others may do other things with them, in other words. */
  const reader = `${person?.id ?? ''} ${useLanguage()}`
  const page = own?.reader === reader ? own.page : start
  const set = (change: (page: CommentsPage) => CommentsPage) =>
    setOwn((before) => ({ reader, page: change(before?.reader === reader ? before.page : start) }))
  const left = page.count - page.list.length
  /** Announced since the list was loaded: all that is left is new. */
  const [added, setAdded] = useState(0)
  useLive(commentLive.added, longId(pageId), (comment) => {
    if (comment.objectId !== longId(objectId) || comment.authorId === person?.id) return
    setAdded((count) => count + 1)
    set(({ count, list }) => ({ count: count + 1, list }))
  })

  // What is announced while somebody writes waits: the form must not move.
  const isLeft = left > (writing ? added : 0)

  async function more(): Promise<void> {
    setLoading(true)
    try {
      const next = Math.floor(page.list.length / MORE) + 1
      const fresh = await api.send(commentCalls.page, { query: { object_id: objectId, page: next, page_size: MORE } })
      setAdded(0)
      set((before) => ({ count: fresh.count, list: merge(next === 1 ? [] : before.list, fresh.list) }))
    } catch (error) {
      toast({ text: (error as Error).message, tone: 'danger' })
    } finally {
      setLoading(false)
    }
  }

  async function send(text: string): Promise<void> {
    const reply = writing?.to ? { reply_comment_id: writing.to } : {}
    const comment = await api.send(commentCalls.create, {
      body: { object_id: objectId, original_text: text, ...reply },
      ignoreServerError: true,
    })
    set(({ count, list }) => ({ count: count + 1, list: [...list, comment] }))
    end()
  }

  /** What was pressed to write; the button below the list is another one afterwards. */
  const opener = useRef<Element>(null)
  const add = useRef<HTMLButtonElement>(null)
  const begin = (to?: string) => {
    opener.current = document.activeElement
    if (isLoggedIn) setWriting(to ? { to } : {})
    else askForLogin()
  }
  const end = () => {
    setWriting(undefined)
    requestAnimationFrame(() => {
      const { current } = opener
      ;(current instanceof HTMLButtonElement && current.isConnected ? current : add.current)?.focus()
    })
  }
  const draftOf = (commentId: string) => `${draft}:${commentId}`
  const to = page.list.find(({ comment_id }) => comment_id === writing?.to)

  return (
    <div className={styles.comments} data-empty={(page.list.length === 0 && !writing) || undefined}>
      {page.list.length > 0 && (
        <ul className={styles.list} aria-label={t(`list_${size}`)}>
          {page.list.map((comment) => (
            <CommentItem
              key={comment.comment_id}
              comment={comment}
              isNamed={comment.comment_id === named}
              replyDraft={draftOf(comment.comment_id)}
              closed={closed}
              onReply={() => begin(comment.comment_id)}
              onReplyFound={showReply}
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
      {(isLeft || !(writing || closed)) && (
        <div className={styles.foot}>
          {isLeft && (
            <>
              <Button variant="quiet" size="small" className={styles.scripted} busy={isLoading} onClick={() => void more()}>
                {t(left === added ? 'added' : 'more', { count: left })}
              </Button>
              <noscript className={styles.unseen}>{t('unseen', { count: left })}</noscript>
            </>
          )}
          {!(writing || closed) && (
            <Button ref={add} variant="quiet" size="small" className={styles.scripted} onClick={() => begin()}>
              {t('add')}
            </Button>
          )}
          {!closed && <PlainForm objectId={objectId} />}
        </div>
      )}
      {writing && (
        <CommentForm
          key={writing.to ?? 'new'}
          start={to ? `@${to.username} ` : ''}
          label={to ? t('reply_to', { name: to.user_display_name }) : t('form.label')}
          submit={t('form.submit')}
          onSend={send}
          onCancel={end}
          draft={writing.to ? draftOf(writing.to) : draft}
          autoFocus={!writing.isFound}
        />
      )}
    </div>
  )
}

/** Where there are no scripts. */
function PlainForm({ objectId }: { objectId: string }) {
  const t = useText('comments')
  const found = useSentForm(commentCalls.create)
  const sent = found?.values.object_id === objectId ? found : undefined
  return (
    <WithoutScripts invitation={t('add')} sent={sent}>
      <CallForm call={commentCalls.create} members={{ object_id: objectId }} className={styles.form}>
        {sent ? (
          <TextArea
            label={t('form.label')}
            name="original_text"
            rows={3}
            defaultValue={sent.values.original_text}
            help={t('form.help')}
            error={sent.errors.original_text}
          />
        ) : (
          // Stands below the post and each of its answers, and hardly anybody sees it.
          <textarea
            className={styles.plain}
            name="original_text"
            rows={3}
            dir="auto"
            aria-label={t('form.label')}
            placeholder={t('form.help')}
          />
        )}
        <Button type="submit" size="small" className={styles.send}>
          {t('form.submit')}
        </Button>
      </CallForm>
    </WithoutScripts>
  )
}

/** What topics are called, whichever form of ids the site's addresses have. */
function longId(text: string): string {
  const id = decodeId(text)
  return id ? encodeId(id.kind, id.n) : text
}

/** Without the ones that are there already. */
function merge(before: CommentView[], next: CommentView[]): CommentView[] {
  const known = new Set(before.map((comment) => comment.comment_id))
  return [...before, ...next.filter((comment) => !known.has(comment.comment_id))]
}
