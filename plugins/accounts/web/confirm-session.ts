import { tap, webHooks } from '@stoa/sdk/web'
import type { ProofMethod } from '../shared/api.ts'

/** A call wants to know that it is still the same person: they prove it, and the call is sent again. */
export default tap(webHooks.replied, async ({ data }, { ask }) => {
  const methods = (data as { methods?: ProofMethod[] } | null)?.methods ?? []
  const isConfirmed = await ask(() => import('./confirm-dialog.tsx'), { methods })
  return isConfirmed && {}
})
