import type { PropsOf } from '@stoa/sdk'
import { Button } from '@stoa/sdk/ui/button'
import { Notice } from '@stoa/sdk/ui/notice'
import { useApi, useNavigate, useSearchParams, useSession, useText } from '@stoa/sdk/web'
import type { accountSlots } from '../../accounts/shared/api.ts'
import { confirmingCalls } from '../../accounts/shared/api.ts'
import { PASSKEY } from '../shared/api.ts'
import { sign } from './ask-browser.ts'
import styles from './passkeys.module.css'
import { usePress } from './use-press.ts'

/** Logs in without address and password. */
export default function LoginButton({ intent }: PropsOf<typeof accountSlots.afterForm>) {
  const api = useApi()
  const t = useText('passkeys')
  const { login } = useSession()
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const { busy, failure, press } = usePress()
  if (intent !== 'login') return null
  const enter = async () => {
    const { shown } = await api.send(confirmingCalls.beginLogin, { body: { method: PASSKEY, anew: true }, passingError: true })
    const body = { method: PASSKEY, given: await sign(shown) }
    const { access_token } = await api.send(confirmingCalls.proveLogin, { body, passingError: true })
    await login(access_token)
    const next = query.get('next') ?? ''
    if (/^\/(?![/\\])/.test(next)) navigate(next, { replace: true })
  }
  return (
    <div className={styles.scripted}>
      <Button icon="key" wide busy={busy} onClick={() => press(enter)}>
        {t('login')}
      </Button>
      {failure && (
        <Notice tone="danger" live>
          {failure}
        </Notice>
      )}
    </div>
  )
}
