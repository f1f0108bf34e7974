import { useKernel } from '@stoa/sdk/web'
import { useState } from 'react'
import { voteCalls } from '../shared/api.ts'

export interface Tally {
  votes: number
  /** `vote_up`, `vote_down` or empty. */
  status: string
}

const worth = (status: string): number => (status === 'vote_up' ? 1 : status === 'vote_down' ? -1 : 0)

/**
 * A vote that shows at once and is corrected by the reply; a refused one goes back to what it was.
 * @param given what the page knows; it wins again when it is loaded anew
 * @param ownText said to people who press at their own post
 */
export function useVote(objectId: string, authorId: string, given: Tally, ownText: string) {
  const kernel = useKernel()
  const { person, isLoggedIn } = kernel.useLogin()
  const page = `${objectId} ${given.votes} ${given.status}`
  const [mine, setMine] = useState<{ page: string; tally: Tally }>()
  const [busy, setBusy] = useState(false)
  const tally = mine?.page === page ? mine.tally : given

  async function press(direction: 'up' | 'down'): Promise<void> {
    if (busy) return
    if (!isLoggedIn) return kernel.askForLogin()
    if (person?.id === authorId) return kernel.toast({ text: ownText, tone: 'info' })
    const word = `vote_${direction}`
    const isCancel = tally.status === word
    const status = isCancel ? '' : word
    setMine({ page, tally: { votes: tally.votes - worth(tally.status) + worth(status), status } })
    setBusy(true)
    try {
      const reply = await kernel.api.send(voteCalls.vote, {
        params: { type: direction },
        body: { object_id: objectId, is_cancel: isCancel },
        ignoreServerError: true,
      })
      setMine({ page, tally: { votes: reply.votes, status: reply.vote_status } })
    } catch (error) {
      setMine({ page, tally })
      const { shown, message } = error as { shown?: boolean; message: string }
      if (!shown) kernel.toast({ text: message, tone: 'danger' })
    } finally {
      setBusy(false)
    }
  }

  return { tally, busy, press }
}
