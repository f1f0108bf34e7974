import type { ReplyOf } from '@stoa/sdk'
import { Button, ButtonLink } from '@stoa/sdk/ui/button'
import { Notice } from '@stoa/sdk/ui/notice'
import { Skeleton } from '@stoa/sdk/ui/skeleton'
import type { ApiError, PageProps, PageRequest } from '@stoa/sdk/web'
import { Link, useApi, usePlace, useSearchParams } from '@stoa/sdk/web'
import { useCallback, useEffect, useState } from 'react'
import { outsideCalls } from '../shared/api.ts'
import styles from './outside-qr-page.module.css'
import { AuthFrame } from './parts/auth-frame.tsx'
import type { OutsideLogins } from './parts/outside-buttons.tsx'
import { useAccountsText } from './parts/use-accounts-text.ts'

export const load = ({ get }: PageRequest) => get(outsideCalls.offered)

type Code = ReplyOf<typeof outsideCalls.showQr>
type Status = ReplyOf<typeof outsideCalls.lookQr>['status']

const PAUSE_MS = 2000

/** A code to scan, until the phone has confirmed. Somebody who connects a login is here too, and is logged in. */
export default function OutsideQrPage({ data }: PageProps<OutsideLogins>) {
  const t = useAccountsText()
  const [query] = useSearchParams()
  const login = usePlace('login') ?? '/'
  const state = query.get('state') ?? ''
  const method = query.get('method') ?? ''
  const name = data.find(({ link }) => link.endsWith(`/${encodeURIComponent(method)}`))?.name
  const isOffered = name !== undefined && state !== ''
  return (
    <AuthFrame
      title={isOffered ? t('outside.form_heading', { name }) : t('outside.form_title')}
      lead={isOffered && t('outside.qr_lead', { name })}
      footer={
        <p>
          <Link to={login}>{t('outside.again')}</Link>
        </p>
      }
    >
      {isOffered ? <Waiting state={state} /> : <Notice tone="danger">{t('outside.refused.expired')}</Notice>}
      <noscript>
        <Notice tone="warning">{t('outside.qr_scripts')}</Notice>
      </noscript>
    </AuthFrame>
  )
}

function Waiting({ state }: { state: string }) {
  const api = useApi()
  const t = useAccountsText()
  const [code, setCode] = useState<Code>()
  const [status, setStatus] = useState<Status>('waiting')
  const [failure, setFailure] = useState('')

  const fail = useCallback((error: unknown) => setFailure((error as ApiError).msg || (error as Error).message), [])
  const show = useCallback(async () => {
    setFailure('')
    setCode(undefined)
    try {
      setCode(await api.send(outsideCalls.showQr, { body: { state }, passingError: true }))
      setStatus('waiting')
    } catch (error) {
      fail(error)
    }
  }, [api, state, fail])
  useEffect(() => void show(), [show])

  useEffect(() => {
    if (!code) return
    let timer: ReturnType<typeof setTimeout>
    let isThere = true
    async function look(): Promise<void> {
      try {
        const found = await api.send(outsideCalls.lookQr, { body: { state }, passingError: true })
        if (!isThere) return
        setStatus(found.status)
        // A whole page: whoever was logged in may be so no more.
        if (found.status === 'done') location.assign(found.path)
        else if (found.status !== 'expired') timer = setTimeout(look, PAUSE_MS)
      } catch (error) {
        if (isThere) fail(error)
      }
    }
    timer = setTimeout(look, PAUSE_MS)
    return () => {
      isThere = false
      clearTimeout(timer)
    }
  }, [api, code, state, fail])

  const isOver = failure !== '' || status === 'expired'
  return (
    <div className={styles.stage}>
      {!code && !failure && <Skeleton lines={6} />}
      {code && !isOver && (
        <svg
          className={styles.code}
          viewBox={`0 0 ${code.size} ${code.size}`}
          role="img"
          aria-label={t('outside.qr_label')}
          shapeRendering="crispEdges"
          data-scanned={status === 'scanned' || undefined}
        >
          <path d={code.drawing} />
        </svg>
      )}
      <p role="status" className={styles.status}>
        {code && !isOver && t(status === 'scanned' ? 'outside.qr_scanned' : 'outside.qr_waiting')}
        {status === 'expired' && !failure && t('outside.qr_expired')}
      </p>
      {failure && (
        <Notice tone="danger" live>
          {failure}
        </Notice>
      )}
      {isOver && (
        <Button icon="refresh" variant="primary" onClick={() => void show()}>
          {t('outside.qr_again')}
        </Button>
      )}
      {code?.link && !isOver && status === 'waiting' && (
        <ButtonLink to={code.link} target="_blank" rel="external noreferrer" variant="quiet">
          {t('outside.qr_open')}
        </ButtonLink>
      )}
    </div>
  )
}
