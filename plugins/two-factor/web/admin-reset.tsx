import type { PropsOf } from '@stoa/sdk'
import { Button } from '@stoa/sdk/ui/button'
import type { ApiError } from '@stoa/sdk/web'
import { useApi, useConfirm, useLogin, useText, useToast } from '@stoa/sdk/web'
import { useEffect, useState } from 'react'
import type { accountSlots } from '../../accounts/shared/api.ts'
import { twoFactorCalls } from '../shared/api.ts'

/** For admins, on the profile of somebody else who has set it up. */
export default function AdminReset({ id, username }: PropsOf<typeof accountSlots.profile>) {
  const api = useApi()
  const t = useText('two-factor')
  const toast = useToast()
  const confirm = useConfirm()
  const { isAdmin, person } = useLogin()
  const isAsked = isAdmin && person?.id !== id
  const [isOn, setIsOn] = useState(false)
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    setIsOn(false)
    if (isAsked) void api.send(twoFactorCalls.stateOf, { query: { user_id: id } }).then(({ is_on }) => setIsOn(is_on))
  }, [api, isAsked, id])
  if (!isOn) return null
  const reset = async () => {
    if (!(await confirm({ title: t('reset_confirm', { name: username }), text: t('reset_text'), confirm: t('reset'), tone: 'danger' })))
      return
    setBusy(true)
    try {
      await api.send(twoFactorCalls.reset, { body: { user_id: id }, passingError: true })
      setIsOn(false)
      toast({ text: t('reset_done'), tone: 'success' })
    } catch (error) {
      const { msg, shown, message } = error as ApiError
      if (!shown) toast({ text: msg || message, tone: 'danger' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button icon="lock" busy={busy} onClick={reset}>
      {t('reset')}
    </Button>
  )
}
