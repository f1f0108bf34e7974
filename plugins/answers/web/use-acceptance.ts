import { useApi, useToast } from '@stoa/sdk/web'
import { useState } from 'react'
import { answerCalls } from '../shared/api.ts'
import type { ReadAnswer } from './types.ts'

/** Puts the mark on an answer or takes it back. @param onAccept told when it is done, with the id that carries the mark now */
export function useAcceptance(experienceId: string, answer: ReadAnswer, onAccept: (acceptedId: string) => void) {
  const api = useApi()
  const toast = useToast()
  const [busy, setBusy] = useState(false)

  async function toggle(): Promise<void> {
    const chosen = answer.accepted === 2 ? '' : answer.id
    setBusy(true)
    try {
      await api.send(answerCalls.accept, {
        body: { experience_id: experienceId, answer_id: chosen || '0' },
        ignoreServerError: true,
      })
      onAccept(chosen)
    } catch (error) {
      const { shown, message } = error as { shown?: boolean; message: string }
      if (!shown) toast({ text: message, tone: 'danger' })
    } finally {
      setBusy(false)
    }
  }

  return { busy, toggle }
}
