import { useApi } from '@stoa/sdk/web'
import { useOptimistic } from '@stoa/sdk/web/optimistic'
import { followCalls } from '../shared/api.ts'

/** Whether the reader follows, and how many do. */
export function useFollow(id: string, given: { count: number; followed: boolean }) {
  const api = useApi()
  const { value, busy, change } = useOptimistic(id, { count: given.count, followed: given.followed })

  function toggle(): Promise<void> {
    const followed = !value.followed
    return change({ followed, count: value.count + (followed ? 1 : -1) }, async () => {
      const reply = await api.send(followCalls.follow, { body: { object_id: id, is_cancel: !followed }, ignoreServerError: true })
      return { count: reply.follows, followed: reply.is_followed }
    })
  }

  return { ...value, busy, toggle }
}
