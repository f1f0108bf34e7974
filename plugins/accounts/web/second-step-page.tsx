import { ButtonLink } from '@stoa/sdk/ui/button'
import { Link, useApi, useNavigate, usePlace, useSearchParams, useSession } from '@stoa/sdk/web'
import { startTransition, useEffect, useState } from 'react'
import type { ProofMethod } from '../shared/api.ts'
import { confirmingCalls } from '../shared/api.ts'
import { AuthFrame, inPlaceClass } from './parts/auth-frame.tsx'
import { nextOf } from './parts/next-path.ts'
import type { Proof } from './parts/proofs.tsx'
import { Proofs } from './parts/proofs.tsx'
import { useAccountsText } from './parts/use-accounts-text.ts'

/** What is asked for after the password. Without scripts there is one field, for whatever code there may be. */
export default function SecondStepPage() {
  const api = useApi()
  const t = useAccountsText()
  const { login } = useSession()
  const navigate = useNavigate()
  const place = usePlace('login') ?? '/'
  const [query] = useSearchParams()
  const next = nextOf(query)
  const [methods, setMethods] = useState<readonly ProofMethod[]>()
  useEffect(() => {
    // It may say what the page was not drawn with: what is there stays until those texts have come.
    void api.send(confirmingCalls.pending).then((pending) => startTransition(() => setMethods(pending?.methods ?? [])))
  }, [api])
  const send = async (proof: Proof) => {
    const { access_token } = await api.send(confirmingCalls.proveLogin, { body: proof, passingError: true })
    await login(access_token)
    if (next !== undefined) navigate(next, { replace: true })
  }
  const begin = async (method: string) => (await api.send(confirmingCalls.beginLogin, { body: { method }, passingError: true })).shown
  const isOver = methods?.length === 0
  const proofs = <Proofs methods={isOver ? undefined : methods} begin={begin} send={send} submit={t('login.submit')} to={next} />
  return (
    <AuthFrame
      title={t('step.title')}
      lead={t(isOver ? 'step.over' : 'step.lead')}
      footer={
        <p>
          <Link to={place}>{t('step.again')}</Link>
        </p>
      }
    >
      {isOver ? (
        <div className={inPlaceClass}>
          <ButtonLink variant="primary" to={place} wide>
            {t('login.title')}
          </ButtonLink>
          {/* Drawn before it was known, and keeps its room: what stands below does not jump under a finger. */}
          <div aria-hidden inert>
            {proofs}
          </div>
        </div>
      ) : (
        proofs
      )}
    </AuthFrame>
  )
}
