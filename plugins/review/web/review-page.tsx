import type { ReplyOf } from '@stoa/sdk'
import { EmptyState } from '@stoa/sdk/ui/empty'
import { PageTitle } from '@stoa/sdk/ui/page'
import { TabLinks } from '@stoa/sdk/ui/tabs'
import type { PageProps, PageRequest } from '@stoa/sdk/web'
import { Slot, useNavigate, useText } from '@stoa/sdk/web'
import { useState } from 'react'
import { siteCalls } from '../../site/shared/api.ts'
import { reviewSlots } from '../shared/api.ts'

interface Shown {
  queues: ReplyOf<typeof siteCalls.reviewing>
  /** Name of the one that is open; empty while there is none. */
  open: string
  page: number
}

export async function load({ query, get }: PageRequest): Promise<Shown> {
  const queues = await get(siteCalls.reviewing)
  const wanted = queues.find(({ name }) => name === query.get('type'))
  const queue = wanted ?? queues.find(({ todo_amount }) => todo_amount > 0) ?? queues[0]
  const page = Number(query.get('page'))
  // Past the end after the last one was decided: from the beginning.
  const isPage = Number.isSafeInteger(page) && page > 0 && page <= (queue?.todo_amount ?? 0)
  return { queues, open: queue?.name ?? '', page: isPage ? page : 1 }
}

/** What waits for a decision of staff: one queue at a time, one thing at a time. */
export default function ReviewPage({ data: { queues, open, page }, reload }: PageProps<Shown>) {
  const t = useText('review')
  const navigate = useNavigate()
  const [round, setRound] = useState(0)
  const count = queues.find(({ name }) => name === open)?.todo_amount ?? 0
  const pathOf = (name: string, at = 1) => `/review?type=${name}${at > 1 ? `&page=${at}` : ''}`
  const place = {
    queue: open,
    page,
    count,
    onDecided: async () => {
      await reload()
      setRound((before) => before + 1)
    },
    onSkip: () => void navigate(pathOf(open, (page % count) + 1)),
  }
  const empty = <EmptyState icon="check-circle" title={t('empty')} text={t('empty_text')} />
  return (
    <>
      <PageTitle text={t('lead')}>{t('title')}</PageTitle>
      <TabLinks
        label={t('queues')}
        items={queues.map(({ name, label, todo_amount }) => ({ to: pathOf(name), label, count: todo_amount, current: name === open }))}
      />
      {count > 0 ? <Slot key={`${open} ${page} ${round}`} of={reviewSlots.queue} props={place} empty={empty} /> : empty}
    </>
  )
}
