import { useApi } from '@stoa/sdk/web'
import { useOptimistic } from '@stoa/sdk/web/optimistic'
import { bookmarkCalls } from '../shared/api.ts'

/** A bookmark of the reader, and how many there are. */
export function useBookmark(id: string, given: { count: number; bookmarked: boolean }) {
  const api = useApi()
  const { value, busy, change } = useOptimistic(id, { count: given.count, bookmarked: given.bookmarked })

  function toggle(): Promise<void> {
    const bookmarked = !value.bookmarked
    return change({ bookmarked, count: value.count + (bookmarked ? 1 : -1) }, async () => {
      const body = { object_id: id, group_id: '0', bookmark: bookmarked }
      const reply = await api.send(bookmarkCalls.toggle, { body, ignoreServerError: true })
      return { bookmarked, count: reply.object_collection_count }
    })
  }

  return { ...value, busy, toggle }
}
