import { Button, ButtonLink } from '@stoa/sdk/ui/button'
import { CallForm, useSentForm } from '@stoa/sdk/ui/call-form'
import { Notice } from '@stoa/sdk/ui/notice'
import { PageTitle } from '@stoa/sdk/ui/page'
import type { ApiError, Head } from '@stoa/sdk/web'
import { useApi, useSearchParams, useText } from '@stoa/sdk/web'
import { useState } from 'react'
import { noticeCalls } from '../shared/api.ts'

export const head = (): Head => ({ noindex: true })

/**
 * Where the link of a message leads. It asks once more: programs that look through mail follow links too. Whoever has the link may, without a
 * session.
 */
export default function UnsubscribePage() {
  const t = useText('notifications')
  const calls = useApi()
  const [query] = useSearchParams()
  const sent = useSentForm(noticeCalls.unsubscribe)
  const code = query.get('code') ?? ''
  const [isDone, setDone] = useState(query.get('done') === '1')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState(sent ? (Object.values(sent.errors)[0] ?? t('unsubscribe.failed')) : '')

  async function end(): Promise<void> {
    setBusy(true)
    setFailure('')
    try {
      await calls.send(noticeCalls.unsubscribe, { body: { code }, passingError: true })
      setDone(true)
    } catch (error) {
      const { msg, message } = error as ApiError
      setFailure(msg || message)
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      <PageTitle text={isDone ? undefined : t('unsubscribe.text')}>{t('unsubscribe.title')}</PageTitle>
      {failure && (
        <Notice tone="danger" live>
          {failure}
        </Notice>
      )}
      {isDone ? (
        <>
          <Notice tone="success" live>
            {t('unsubscribe.done')}
          </Notice>
          <p>
            <ButtonLink to="/users/settings/notify" icon="settings">
              {t('settings.open')}
            </ButtonLink>
          </p>
        </>
      ) : code === '' ? (
        <Notice tone="warning">{t('unsubscribe.no_code')}</Notice>
      ) : (
        <CallForm
          call={noticeCalls.unsubscribe}
          members={{ code }}
          onSubmit={(event) => {
            event.preventDefault()
            void end()
          }}
        >
          <Button type="submit" variant="primary" busy={busy}>
            {t('unsubscribe.submit')}
          </Button>
        </CallForm>
      )}
    </>
  )
}
