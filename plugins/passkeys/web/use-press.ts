import type { ApiError } from '@stoa/sdk/web'
import { useText } from '@stoa/sdk/web'
import { useState } from 'react'
import { NoAnswer } from './ask-browser.ts'

/** One piece of work at a time, and what went wrong with it. */
export function usePress() {
  const t = useText('passkeys')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  const press = async (work: () => Promise<void>) => {
    if (busy) return
    setBusy(true)
    setFailure('')
    try {
      await work()
    } catch (error) {
      const { msg, shown, message } = error as ApiError
      if (error instanceof NoAnswer) setFailure(t(error.key))
      else if (!shown) setFailure(msg || message)
    } finally {
      setBusy(false)
    }
  }
  return { busy, failure, press }
}
