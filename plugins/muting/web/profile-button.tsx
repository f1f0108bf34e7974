import type { PropsOf, ReplyOf } from '@stoa/sdk'
import { Button } from '@stoa/sdk/ui/button'
import { useApi, useLogin, useText, useToast } from '@stoa/sdk/web'
import { useEffect, useState } from 'react'
import type { accountSlots } from '../../accounts/shared/api.ts'
import { mutingCalls } from '../shared/api.ts'
import styles from './muting.module.css'

/** On the profile of somebody else: mutes them, or takes that back. */
export default function ProfileButton({ id, username }: PropsOf<typeof accountSlots.profile>) {
  const api = useApi()
  const t = useText('muting')
  const toast = useToast()
  const { isNormal, person } = useLogin()
  const isAsked = isNormal && person?.id !== id
  const [state, setState] = useState<ReplyOf<typeof mutingCalls.state>>()
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    setState(undefined)
    if (isAsked) void api.send(mutingCalls.state, { query: { username } }).then(setState, () => {})
  }, [api, isAsked, username])
  if (!state || (!state.can_mute && !state.muted)) return null
  const { muted } = state
  const toggle = async () => {
    setBusy(true)
    try {
      await api.send(mutingCalls.set, { body: { username, mute: !muted } })
      setState({ ...state, muted: !muted })
      toast({ text: t(muted ? 'unmuted' : 'muted', { name: username }), tone: 'success' })
    } catch {
      // The call has said what is wrong.
    }
    setBusy(false)
  }
  return (
    <div className={styles.button}>
      <Button icon={muted ? 'bell' : 'eye-off'} busy={busy} aria-pressed={muted} onClick={() => void toggle()}>
        {t(muted ? 'unmute' : 'mute')}
      </Button>
      {muted && <p>{t('explain')}</p>}
    </div>
  )
}
