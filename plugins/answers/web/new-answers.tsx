import { decodeId, encodeId } from '@stoa/sdk'
import { Button } from '@stoa/sdk/ui/button'
import { useApi, useLogin, useText, useToast } from '@stoa/sdk/web'
import { useLive } from '@stoa/sdk/web/live'
import { useState } from 'react'
import { answerCalls, answerLive } from '../shared/api.ts'
import styles from './answers.module.css'
import type { ReadAnswer } from './types.ts'
import { STEP } from './types.ts'

interface NewAnswersProps {
  /** Public id of the post. */
  experienceId: string
  known: readonly ReadAnswer[]
  /** With the new ones, oldest first. */
  onShow(answers: ReadAnswer[]): void
}

/** Says that others have answered since the page was loaded, over the page, so that nothing moves; a press shows what they wrote. */
export function NewAnswers({ experienceId, known, onShow }: NewAnswersProps) {
  const api = useApi()
  const toast = useToast()
  const t = useText('answers')
  const { person } = useLogin()
  const [ids, setIds] = useState<string[]>([])
  const [busy, setBusy] = useState(false)
  const isKnown = (id: string) => known.some((answer) => longId(answer.id) === id)
  useLive(answerLive.added, longId(experienceId), ({ id, authorId }) => {
    if (authorId !== person?.id && !isKnown(id)) setIds((all) => [...all.filter((one) => one !== id), id])
  })

  async function show(): Promise<void> {
    setBusy(true)
    try {
      const page_size = Math.min(ids.length, STEP)
      const { list } = await api.send(answerCalls.page, { query: { experience_id: experienceId, order: 'updated', page_size } })
      const fresh = list.filter((answer) => !isKnown(longId(answer.id))).reverse()
      setIds([])
      onShow(fresh)
      // Once it stands there.
      requestAnimationFrame(() => document.getElementById(`answer-${fresh[0]?.id}`)?.focus())
    } catch (error) {
      toast({ text: (error as Error).message, tone: 'danger' })
    } finally {
      setBusy(false)
    }
  }

  return (
    <div role="status" className={styles.announcement}>
      {ids.length > 0 && (
        <Button variant="primary" size="small" icon="arrow-down" busy={busy} onClick={() => void show()}>
          {t('added', { count: ids.length })}
        </Button>
      )}
    </div>
  )
}

/** What topics are called, whichever form of ids the site's addresses have. */
function longId(text: string): string {
  const id = decodeId(text)
  return id ? encodeId(id.kind, id.n) : text
}
