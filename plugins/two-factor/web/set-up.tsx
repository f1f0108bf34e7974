import type { ReplyOf } from '@stoa/sdk'
import { Button } from '@stoa/sdk/ui/button'
import { TextField } from '@stoa/sdk/ui/field'
import { Row, Stack } from '@stoa/sdk/ui/page'
import type { ApiError } from '@stoa/sdk/web'
import { useText } from '@stoa/sdk/web'
import type { SubmitEvent } from 'react'
import { useState } from 'react'
import type { twoFactorCalls } from '../shared/api.ts'
import styles from './two-factor.module.css'

interface SetUpProps {
  enrolment: ReplyOf<typeof twoFactorCalls.begin>
  /** @throws what the server says of the code */
  enable(code: string): Promise<void>
  cancel(): void
}

/** The secret, to be scanned or typed, and the code that shows that the app has it. */
export function SetUp({ enrolment: { secret, qr }, enable, cancel }: SetUpProps) {
  const t = useText('two-factor')
  const [code, setCode] = useState('')
  const [error, setError] = useState('')
  const [busy, setBusy] = useState(false)
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    try {
      await enable(code)
    } catch (refused) {
      const { fields, msg, message } = refused as ApiError
      setError(fields?.code ?? (msg || message))
      setBusy(false)
    }
  }
  return (
    <form method="post" onSubmit={submit} noValidate>
      <Stack>
        <p>{t('scan')}</p>
        <svg className={styles.qr} viewBox={`0 0 ${qr.size} ${qr.size}`} role="img" aria-label={t('qr')} shapeRendering="crispEdges">
          <path d={qr.path} />
        </svg>
        <p>
          {t('manual')} <code className={styles.secret}>{secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
        </p>
        <TextField
          name="code"
          label={t('code')}
          value={code}
          error={error}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={7}
          required
          onChange={(value) => {
            setCode(value)
            setError('')
          }}
        />
        <Row>
          <Button type="submit" variant="primary" busy={busy}>
            {t('turn_on')}
          </Button>
          <Button variant="quiet" onClick={cancel}>
            {t('cancel')}
          </Button>
        </Row>
      </Stack>
    </form>
  )
}
