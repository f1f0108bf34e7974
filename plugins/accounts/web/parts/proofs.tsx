import { Button } from '@stoa/sdk/ui/button'
import { CallForm } from '@stoa/sdk/ui/call-form'
import { TextField } from '@stoa/sdk/ui/field'
import { Notice } from '@stoa/sdk/ui/notice'
import type { ApiError } from '@stoa/sdk/web'
import { Slot } from '@stoa/sdk/web'
import { useState } from 'react'
import type { ProofMethod } from '../../shared/api.ts'
import { accountSlots, confirmingCalls } from '../../shared/api.ts'
import { formClass } from './auth-frame.tsx'
import { Submit } from './submit.tsx'
import { useAccountsText } from './use-accounts-text.ts'
import { useForm } from './use-form.ts'

export interface Proof {
  method?: string
  code?: string
  given?: Record<string, string>
}

interface ProofsProps {
  /** Undefined: not known yet, so a code is asked for. */
  methods: readonly ProofMethod[] | undefined
  begin(method: string): Promise<unknown>
  send(proof: Proof): Promise<void>
  submit: string
  /** Path to go to, for a login without scripts. */
  to?: string | undefined
}

const isCode = ({ fields }: ProofMethod): boolean => fields[0]?.name === 'code'

/** Ways to prove who one is: a field for what is typed, buttons for the rest. */
export function Proofs({ methods, begin, send, submit, to }: ProofsProps) {
  const t = useAccountsText()
  const [mailed, setMailed] = useState<ProofMethod>()
  const [failure, setFailure] = useState('')
  const codes = methods?.filter((method) => isCode(method) && !method.begins) ?? []
  const password = methods?.find(({ fields }) => fields[0]?.type === 'password')
  const typed = methods === undefined || mailed || codes.length > 0 ? 'code' : password ? 'password' : undefined
  const label = mailed?.fields[0]?.label ?? (codes.length === 1 ? codes[0]?.fields[0]?.label : undefined) ?? t('step.code')
  const help = mailed ? t('step.mailed') : codes.length > 1 ? codes.map(({ name }) => name).join(' · ') : undefined
  const form = useForm({
    call: confirmingCalls.proveLogin,
    initial: { code: '', password: '' },
    send: ({ code, password: typedPassword }) => {
      setFailure('')
      if (typed === 'password') return send({ method: password?.id ?? '', given: { password: typedPassword } })
      return send({ code: code.trim(), ...(mailed && { method: mailed.id }) })
    },
  })
  const failing = async (work: () => Promise<unknown>) => {
    setFailure('')
    try {
      return await work()
    } catch (error) {
      const { msg, shown, message } = error as ApiError
      if (!shown) setFailure(msg || message)
      throw error
    }
  }
  return (
    <div className={formClass}>
      {typed && (
        <CallForm call={confirmingCalls.proveLogin} to={to} className={formClass} onSubmit={form.submit} noValidate>
          <TextField
            key={typed + (mailed?.id ?? '')}
            name={typed}
            label={typed === 'password' ? t('field.present_password') : label}
            help={help}
            value={form.values[typed]}
            error={form.errors[typed]}
            type={typed === 'password' ? 'password' : 'text'}
            autoComplete={typed === 'password' ? 'current-password' : 'one-time-code'}
            autoCapitalize="none"
            spellCheck={false}
            maxLength={typed === 'password' ? 32 : 64}
            required
            onChange={(value) => form.set(typed, value)}
          />
          <Submit label={submit} busy={form.busy} failure={form.failure} wide />
        </CallForm>
      )}
      {methods
        ?.filter(({ fields }) => fields.length === 0)
        .map(({ id, name }) => (
          <Slot
            key={id}
            of={accountSlots.proof}
            props={{
              method: id,
              label: name,
              begin: () => failing(() => begin(id)),
              prove: (given) => failing(() => send({ method: id, given })).then(undefined, () => undefined) as Promise<void>,
            }}
          />
        ))}
      {methods
        ?.filter((method) => isCode(method) && method.begins && method !== mailed)
        .map((method) => (
          <MailButton key={method.id} name={method.name} ask={() => failing(() => begin(method.id)).then(() => setMailed(method))} />
        ))}
      {failure && (
        <Notice tone="danger" live>
          {failure}
        </Notice>
      )}
    </div>
  )
}

/** Asks for a code that comes from elsewhere. */
function MailButton({ name, ask }: { name: string; ask(): Promise<void> }) {
  const [busy, setBusy] = useState(false)
  const press = () => {
    setBusy(true)
    ask()
      .catch(() => undefined)
      .finally(() => setBusy(false))
  }
  return (
    <Button icon="mail" busy={busy} wide onClick={press}>
      {name}
    </Button>
  )
}
