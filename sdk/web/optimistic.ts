import { useState } from 'react'
import { useLogin, useSession, useToast } from './hooks.ts'

/**
 * Something of a member's own that a press changes: it shows at once, is corrected by the reply, and goes back to what it was when it is refused.
 * Visitors are asked to log in instead; while one change is on its way, others are left out.
 * @param id of what it belongs to
 * @param given JSON that the page knows; it wins again when it is loaded anew
 */
export function useOptimistic<T>(id: string, given: T) {
  const toast = useToast()
  const { askForLogin } = useSession()
  const { isLoggedIn } = useLogin()
  const page = id + JSON.stringify(given)
  const [mine, setMine] = useState<{ page: string; value: T }>()
  const [busy, setBusy] = useState(false)
  const value = mine?.page === page ? mine.value : given

  /** @param send resolves with what the server made of it */
  async function change(next: T, send: () => Promise<T>): Promise<void> {
    if (busy) return
    if (!isLoggedIn) return askForLogin()
    setMine({ page, value: next })
    setBusy(true)
    try {
      setMine({ page, value: await send() })
    } catch (error) {
      setMine({ page, value })
      const { shown, message } = error as { shown?: boolean; message: string }
      if (!shown) toast({ text: message, tone: 'danger' })
    } finally {
      setBusy(false)
    }
  }

  return { value, busy, change }
}
