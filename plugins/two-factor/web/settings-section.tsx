import type { PropsOf, ReplyOf } from '@stoa/sdk'
import { Badge } from '@stoa/sdk/ui/badge'
import { Button } from '@stoa/sdk/ui/button'
import { Notice } from '@stoa/sdk/ui/notice'
import { Row, Section, Stack } from '@stoa/sdk/ui/page'
import { Skeleton } from '@stoa/sdk/ui/skeleton'
import { Time } from '@stoa/sdk/ui/time'
import type { ApiError } from '@stoa/sdk/web'
import { useApi, useConfirm, useText, useToast } from '@stoa/sdk/web'
import { useEffect, useState } from 'react'
import type { accountSlots } from '../../accounts/shared/api.ts'
import { twoFactorCalls } from '../shared/api.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { SetUp } from './set-up.tsx'

type State = ReplyOf<typeof twoFactorCalls.state>
type Enrolment = ReplyOf<typeof twoFactorCalls.begin>

/** Setting up codes of an app, and what becomes of them. */
export default function SettingsSection({ page }: PropsOf<typeof accountSlots.settings>) {
  return page === 'account' ? <TwoFactor /> : null
}

function TwoFactor() {
  const api = useApi()
  const t = useText('two-factor')
  const toast = useToast()
  const confirm = useConfirm()
  const [state, setState] = useState<State>()
  const [enrolment, setEnrolment] = useState<Enrolment>()
  const [codes, setCodes] = useState<string[]>()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  useEffect(() => {
    void api.send(twoFactorCalls.state).then(setState)
  }, [api])

  const run = async (work: () => Promise<void>) => {
    setFailure('')
    setBusy(true)
    try {
      await work()
    } catch (error) {
      const { msg, shown, message } = error as ApiError
      if (!shown) setFailure(msg || message)
    } finally {
      setBusy(false)
    }
  }
  const begin = () => run(async () => setEnrolment(await api.send(twoFactorCalls.begin, { passingError: true })))
  const enable = async (code: string) => {
    const given = await api.send(twoFactorCalls.enable, { body: { code }, passingError: true })
    setCodes(given.codes)
    setEnrolment(undefined)
    setState(await api.send(twoFactorCalls.state))
  }
  const renew = () =>
    run(async () => {
      if (!(await confirm({ title: t('renew_confirm'), text: t('renew_text'), confirm: t('renew_do') }))) return
      setCodes((await api.send(twoFactorCalls.renew, { passingError: true })).codes)
      setState(await api.send(twoFactorCalls.state))
    })
  const disable = () =>
    run(async () => {
      if (!(await confirm({ title: t('turn_off_confirm'), text: t('turn_off_text'), confirm: t('turn_off'), tone: 'danger' }))) return
      await api.send(twoFactorCalls.disable, { passingError: true })
      setCodes(undefined)
      setState(await api.send(twoFactorCalls.state))
      toast({ text: t('turned_off'), tone: 'success' })
    })

  return (
    <Section
      id="two-factor"
      title={t('title')}
      text={t('text')}
      actions={state && <Badge tone={state.is_on ? 'success' : 'neutral'}>{t(state.is_on ? 'on' : 'off')}</Badge>}
    >
      <Stack>
        {state === undefined && <Skeleton lines={2} />}
        {state?.is_demanded && !state.is_on && <Notice tone="warning">{t('demanded')}</Notice>}
        {state && !state.is_on && !enrolment && (
          <Row>
            <Button variant="primary" busy={busy} onClick={begin}>
              {t('set_up')}
            </Button>
          </Row>
        )}
        {enrolment && <SetUp enrolment={enrolment} enable={enable} cancel={() => setEnrolment(undefined)} />}
        {codes && <RecoveryCodes codes={codes} done={() => setCodes(undefined)} />}
        {state?.is_on && (
          <>
            <p>
              <Time at={state.since} style="date" phrase={(time) => t('since', { time })} /> · {t('left', { count: state.recovery_left })}
            </p>
            <Row>
              <Button busy={busy} onClick={renew}>
                {t('renew')}
              </Button>
              <Button variant="danger" busy={busy} onClick={disable}>
                {t('turn_off')}
              </Button>
            </Row>
          </>
        )}
        {failure && (
          <Notice tone="danger" live>
            {failure}
          </Notice>
        )}
      </Stack>
    </Section>
  )
}
