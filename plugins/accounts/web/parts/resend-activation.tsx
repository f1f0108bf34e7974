import { Button } from '@stoa/sdk/ui/button'
import { Notice } from '@stoa/sdk/ui/notice'
import type { ApiError } from '@stoa/sdk/web'
import { useApi, useLogin } from '@stoa/sdk/web'
import { useState } from 'react'
import { accountCalls } from '../../shared/api.ts'
import { useAccountsText } from './use-accounts-text.ts'

/** Asks for the activation mail once more. */
export function ResendActivation() {
  const api = useApi()
  const t = useAccountsText()
  const { person } = useLogin()
  const [state, setState] = useState<'ready' | 'busy' | 'sent'>('ready')
  const [failure, setFailure] = useState('')
  async function send() {
    setState('busy')
    setFailure('')
    try {
      await api.send(accountCalls.sendActivation, { passingError: true })
      setState('sent')
    } catch (error) {
      setFailure((error as ApiError).msg)
      setState('ready')
    }
  }
  if (state === 'sent')
    return (
      <Notice tone="success" live>
        {t('inactive.sent', { email: String(person?.e_mail ?? '') })}
      </Notice>
    )
  return (
    <>
      {failure && (
        <Notice tone="danger" live>
          {failure}
        </Notice>
      )}
      <p>
        <Button variant="primary" busy={state === 'busy'} onClick={send}>
          {t('inactive.resend')}
        </Button>
      </p>
    </>
  )
}
