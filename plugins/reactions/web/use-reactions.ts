import { useApi } from '@stoa/sdk/web'
import { useOptimistic } from '@stoa/sdk/web/optimistic'
import type { Emoji, Reaction } from '../shared/api.ts'
import { reactionCalls } from '../shared/api.ts'

/** Reactions to something, the reader's own among them. */
export function useReactions(id: string, given: Reaction[]) {
  const api = useApi()
  const { value: shown, busy, change } = useOptimistic(id, given)

  function toggle(emoji: Emoji): Promise<void> {
    const isActive = !shown.some((reaction) => reaction.emoji === emoji && reaction.is_active)
    return change(withOwn(shown, emoji, isActive), async () => {
      const body = { object_id: id, emoji, reaction: isActive ? ('activate' as const) : ('deactivate' as const) }
      return (await api.send(reactionCalls.react, { body, ignoreServerError: true })).reaction_summary
    })
  }

  return { shown, busy, toggle }
}

/** The list as it is going to be; names follow with the reply. */
function withOwn(list: Reaction[], emoji: Emoji, is_active: boolean): Reaction[] {
  if (!list.some((reaction) => reaction.emoji === emoji)) return [...list, { emoji, count: 1, tooltip: '', is_active }]
  return list
    .map((reaction) => (reaction.emoji === emoji ? { ...reaction, count: reaction.count + (is_active ? 1 : -1), is_active } : reaction))
    .filter(({ count }) => count > 0)
}
