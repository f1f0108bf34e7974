import type { CallToken } from '@stoa/sdk'
import { useSentForm } from '@stoa/sdk/ui/call-form'
import type { ApiError } from '@stoa/sdk/web'
import type { SubmitEvent } from 'react'
import { useRef, useState } from 'react'

export interface Form<V> {
  values: V
  /** Text per field: from the server, or from `check`. */
  errors: Partial<Record<keyof V & string, string>>
  /** What failed as a whole, for beside the button. */
  failure: string
  busy: boolean
  changed: boolean
  set<K extends keyof V>(name: K, value: V[K]): void
  submit(event: SubmitEvent<HTMLFormElement>): void
}

export interface FormOptions<V> {
  initial: V
  /** The call that the form makes without scripts: it begins with what came back of that. */
  call?: CallToken
  /** Refuses before sending. */
  check?: (values: V) => Partial<Record<keyof V & string, string>>
  /** Calls with `passingError`, so that a refusal stays with the form. */
  send: (values: V) => Promise<void>
}

/** State of a form: values, errors by field, one submission at a time; a refused form puts the cursor into its first wrong field. */
export function useForm<V extends object>({ initial, call, check, send }: FormOptions<V>): Form<V> {
  const sent = useSentForm(call)
  const [values, setValues] = useState<V>({ ...initial, ...sent?.values })
  const [errors, setErrors] = useState<Form<V>['errors']>((sent?.errors ?? {}) as Form<V>['errors'])
  const [failure, setFailure] = useState('')
  const [busy, setBusy] = useState(false)
  const [changed, setChanged] = useState(false)
  const sending = useRef(false)

  const refuse = (form: HTMLFormElement, wrong: Form<V>['errors']) => {
    setErrors(wrong)
    const first = Object.keys(wrong)[0]
    const field = first ? form.elements.namedItem(first) : null
    if (field instanceof HTMLElement) field.focus()
  }

  async function run(form: HTMLFormElement) {
    const wrong = check?.(values) ?? {}
    setFailure('')
    if (Object.keys(wrong).length > 0) return refuse(form, wrong)
    setErrors({})
    setBusy(true)
    sending.current = true
    try {
      await send(values)
      setChanged(false)
    } catch (error) {
      const { fields, msg, shown, message } = error as ApiError
      if (fields && Object.keys(fields).length > 0) refuse(form, fields as Form<V>['errors'])
      else if (!shown) setFailure(msg || message)
    } finally {
      sending.current = false
      setBusy(false)
    }
  }

  return {
    values,
    errors,
    failure,
    busy,
    changed,
    set(name, value) {
      setChanged(true)
      setValues((present) => ({ ...present, [name]: value }))
      setErrors(({ [name as string]: _, ...others }: Record<string, string | undefined>) => others as Form<V>['errors'])
    },
    submit(event) {
      event.preventDefault()
      if (!sending.current) void run(event.currentTarget)
    },
  }
}
