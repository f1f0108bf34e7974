import { useApi, useLogin } from '@stoa/sdk/web'
import { useOptimistic } from '@stoa/sdk/web/optimistic'
import { voteCalls } from '../shared/api.ts'

export interface Tally {
  votes: number
  /** `vote_up`, `vote_down` or empty. */
  status: string
}

const worth = (status: string): number => (status === 'vote_up' ? 1 : status === 'vote_down' ? -1 : 0)

/** The reader's vote, and what all add up to. */
export function useVote(objectId: string, authorId: string, given: Tally) {
  const api = useApi()
  const { person } = useLogin()
  const { value: tally, busy, change } = useOptimistic(objectId, given)
  const isOwn = person !== null && person.id === authorId

  function press(direction: 'up' | 'down'): Promise<void> {
    const word = `vote_${direction}`
    const isCancel = tally.status === word
    const status = isCancel ? '' : word
    return change({ votes: tally.votes - worth(tally.status) + worth(status), status }, async () => {
      const body = { object_id: objectId, is_cancel: isCancel }
      const reply = await api.send(voteCalls.vote, { params: { type: direction }, body, ignoreServerError: true })
      return { votes: reply.votes, status: reply.vote_status }
    })
  }

  return { tally, busy, isOwn, press }
}
