import type { PropsOf, ReplyOf } from '@stoa/sdk'
import { Button } from '@stoa/sdk/ui/button'
import { EmptyState } from '@stoa/sdk/ui/empty'
import { TabLinks } from '@stoa/sdk/ui/tabs'
import { useApi, useData, useLocation, useParams, useSearchParams, useText, useToast } from '@stoa/sdk/web'
import { useState } from 'react'
import type { experienceSlots } from '../../experiences/shared/api.ts'
import { answerCalls } from '../shared/api.ts'
import { AnswerItem } from './answer-item.tsx'
import styles from './answers.module.css'
import { linkedAnswerId } from './linked-answer.ts'
import { NewAnswers } from './new-answers.tsx'
import type { Experience, ReadAnswer } from './types.ts'
import { firstAnswers, hasNoAnswers, isOpen, orderOf, orders, STEP } from './types.ts'
import { WriteAnswer } from './write-answer.tsx'

interface ReadPage {
  count: number
  list: ReadAnswer[]
}

const none: ReadPage = { count: 0, list: [] }

const read = {
  name: 'read',
  of: ({ count, list }: ReplyOf<typeof answerCalls.page>): ReadPage => ({ count, list: list.map(({ content: _, ...answer }) => answer) }),
}

/** What people answered, in the order of the address, and the place to write. */
export default function Answers({ id, authorId, detail }: PropsOf<typeof experienceSlots.answers>) {
  const toast = useToast()
  const api = useApi()
  const t = useText('answers')
  const linked = linkedAnswerId(useParams())
  const { pathname } = useLocation()
  const [address] = useSearchParams()
  const order = orderOf(address.get('order'))
  const query = firstAnswers(id, order)
  const start = useData(answerCalls.page, query, read, hasNoAnswers(detail) ? none : undefined)
  const [own, setOwn] = useState<{ start: ReadPage; page: ReadPage }>()
  const [isLoading, setLoading] = useState(false)
  const page = own?.start === start ? own.page : start
  const set = (change: (list: ReadAnswer[]) => ReadAnswer[], by = 0) =>
    setOwn((before) => {
      const { count, list } = before?.start === start ? before.page : start
      return { start, page: { count: count + by, list: change(list) } }
    })

  async function more(): Promise<void> {
    setLoading(true)
    try {
      const fresh = await api.send(answerCalls.page, { query: { ...query, page: Math.floor(page.list.length / STEP) + 1 } })
      set((list) => [...list, ...fresh.list.filter((answer) => !list.some((known) => known.id === answer.id))])
    } catch (error) {
      toast({ text: (error as Error).message, tone: 'danger' })
    } finally {
      setLoading(false)
    }
  }

  const replace = (next: ReadAnswer) => set((list) => list.map((answer) => (answer.id === next.id ? next : answer)))
  /** The mark moves: no other answer keeps it. */
  const accept = (acceptedId: string) => set((list) => list.map((answer) => ({ ...answer, accepted: answer.id === acceptedId ? 2 : 1 })))

  return (
    <section id="answers" className={styles.answers} aria-labelledby="answers-title">
      <div className={styles.head}>
        <h2 id="answers-title" className={styles.title}>
          {page.count > 0 ? t('title', { count: page.count }) : t('title_none')}
        </h2>
        {page.count > 1 && (
          <TabLinks
            label={t('order.label')}
            items={orders.map((name) => ({ to: `${pathname}?order=${name}#answers`, label: t(`order.${name}`), current: name === order }))}
          />
        )}
      </div>
      {page.list.length === 0 && isOpen(detail) && <EmptyState icon="message" title={t('empty.title')} text={t('empty.text')} level={3} />}
      {page.list.map((answer) => (
        <AnswerItem
          key={answer.id}
          answer={answer}
          experience={detail}
          authorId={String(authorId)}
          isLinked={answer.id === linked}
          onChange={replace}
          onAccept={accept}
        />
      ))}
      {linked && !page.list.some((answer) => answer.id === linked) && page.list.length < page.count && (
        <LinkedAnswer id={linked} experience={detail} authorId={String(authorId)} onChange={replace} onAccept={accept} />
      )}
      {page.list.length < page.count && (
        <Button variant="quiet" wide busy={isLoading} onClick={() => void more()}>
          {t('more')}
        </Button>
      )}
      <NewAnswers experienceId={id} known={page.list} onShow={(answers) => set((list) => [...list, ...answers], answers.length)} />
      <WriteAnswer experience={detail} onWritten={(answer) => set((list) => [...list, answer], 1)} />
    </section>
  )
}

interface LinkedAnswerProps {
  id: string
  experience: Experience
  authorId: string
  onChange(next: ReadAnswer): void
  onAccept(acceptedId: string): void
}

/** The answer that the address names, when it stands on a later page. */
function LinkedAnswer({ id, ...rest }: LinkedAnswerProps) {
  const { info } = useData(answerCalls.info, { id })
  return <AnswerItem answer={info} isLinked {...rest} />
}
